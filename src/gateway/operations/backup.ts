/** The rows that back up and restore whole agents. */

import { AgentService } from "../../gen/noema/v1/agent_service_pb";
import { AgentRestoreService, BackupService } from "../../gen/noema/v1/backup_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import { RouteService } from "../../gen/noema/v1/route_service_pb";
import { backup, LINES_TYPE } from "../backup/backup";
import { restore } from "../backup/restore";
import { rolesFor } from "../keys/role";
import type { Operation } from "./operation";

const { readBackup, beginRestore, stageRestore, dropRestore, restoreAlone } = BackupService.method;
const { listUnused, planRestore, commitRestore } = AgentRestoreService.method;

/** They come before the rows of processors: `backup` and `restore` in a path are not processors. */
export const backupOperations: readonly Operation[] = [
  {
    methods: ["GET"],
    path: "/backup",
    roles: rolesFor(readBackup),
    isOwn: true,
    query: ["processor"],
    mediaType: LINES_TYPE,
    rpcs: [AgentService.method.getGenome, listUnused, RouteService.method.getRoutes, readBackup],
    answer: backup,
    summary: "Streams the whole agent, or one processor, as lines that restore takes.",
  },
  {
    methods: ["POST"],
    path: "/restore",
    roles: rolesFor(beginRestore),
    isOwn: true,
    query: ["processor"],
    rpcs: [
      AgentService.method.getGenome,
      InspectionService.method.ping,
      planRestore,
      beginRestore,
      stageRestore,
      dropRestore,
      restoreAlone,
      commitRestore,
    ],
    answer: restore,
    summary: "Replaces the agent, or one processor, by a backup, all or nothing.",
  },
];
