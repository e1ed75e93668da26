/** ProvisioningService: an agent creates and retires its processors. */

import type { ServiceImpl } from "@connectrpc/connect";
import { ProvisioningService } from "../../gen/noema/v1/provisioning_service_pb";
import type { GeneChange } from "../../gen/plain";
import type { Place } from "../../text/placement";
import { methodPath } from "../transport/unary";
import { type PlainStamp, toConnectError } from "./connect-error";

const { method } = ProvisioningService;

/** The agent of a processor, and the processors to which it sends predictions. */
export interface Membership {
  /** The agent's name; empty for a processor without an agent. */
  agent: string;
  /** The manipulatives that send its predictions, in their order. */
  manipulatives: readonly ProvisionedManipulative[];
  /** Number of parts for its models, if it is not in service yet; 1 if absent. */
  parts?: number;
}

/** A manipulative as described by the agent. */
export interface ProvisionedManipulative {
  /** Its identifier. */
  id: string;
  /** The parts of each prediction that it sends, in order. */
  fields: readonly string[];
  /** The processors that observe what it sends, in order. */
  targets: readonly ProvisionedTarget[];
}

/** A processor that observes what another predicts. */
export interface ProvisionedTarget extends Place {
  id: string;
  /** The URL of the server that has it; empty in this deployment. */
  endpoint: string;
}

/** Puts one processor into service and takes it out. */
export interface Provisioner {
  /**
   * Creates the processor. An existing one keeps its genes and memory and gets this name and membership.
   *
   * @param genes the initial genes, for a new processor
   * @throws Fault `invalid` for an empty id, another processor's id, a gene that is unknown or has a wrong value, or a
   *   field that predictions do not have; nothing has changed
   */
  provision(id: string, name: string, genes: readonly GeneChange[], membership: Membership): PlainStamp;
  /**
   * Takes the processor out of service.
   *
   * @param purge whether to delete all its data too
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  retire(purge: boolean): Promise<void>;
}

/** Implements the service with the owner of the processor. */
export function provisioningService(provisioner: Provisioner): ServiceImpl<typeof ProvisioningService> {
  return {
    provision: ({ id, name, genes, agent, outlets, parts }) => {
      try {
        const manipulatives = outlets.map(({ manipulative, fields, targets }) => ({
          id: manipulative,
          fields,
          targets,
        }));
        const membership = { agent, manipulatives, parts: Math.max(1, parts) };
        return { stamp: provisioner.provision(id, name, genes, membership) };
      } catch (error) {
        throw toConnectError(error, methodPath(method.provision));
      }
    },
    retire: async ({ purge }) => {
      try {
        await provisioner.retire(purge);
        return {};
      } catch (error) {
        throw toConnectError(error, methodPath(method.retire));
      }
    },
  };
}
