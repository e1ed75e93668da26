/** The rows of flags, the target class and genes. */

import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import { ModeService } from "../../gen/noema/v1/mode_service_pb";
import { decodeChangeGenes, decodeGetGene, decodeIncrement, decodeSetTargetClass } from "../decode/gene";
import { okay, type Stamped } from "../encode/envelope";
import { encodeAllGenes, encodeChangeGenes, encodeFaultyGenes, encodeGene } from "../encode/gene";
import type { Body } from "../json/body";
import { rolesFor } from "../keys/role";
import {
  checkBounds,
  decodeNothing,
  encodeField,
  type HttpMethod,
  namingIgnored,
  type Operation,
  processorCall,
} from "./operation";

const mode = ModeService.method;
const gene = GeneService.method;

/** The decoder of operations without a request body that always send the same message. */
function decodeAs<Message>(message: Message): (body: Body) => Message {
  return (body) => ({ ...decodeNothing(body), ...message });
}

/** The members of a row that turns a flag on or off, except its call. */
function switchRow(path: string, on: boolean, message: string, summary: string) {
  const methods: readonly HttpMethod[] = ["POST"];
  return {
    methods,
    path,
    summary,
    decode: decodeAs({ on }),
    encode: (reply: Stamped) => okay(reply, `"${message}"`),
  };
}

/** Flags and the target class. */
export const modeOperations: readonly Operation[] = [
  processorCall({
    rpc: mode.setPredicting,
    ...switchRow("/:id/predicting/start", true, "activated-predictions", "Turns predictions on."),
  }),
  processorCall({
    rpc: mode.setPredicting,
    ...switchRow("/:id/predicting/stop", false, "deactivated-predictions", "Turns predictions off."),
  }),
  processorCall({
    rpc: mode.setAutolearning,
    ...switchRow(
      "/:id/autolearning/start",
      true,
      "activated-autolearn",
      "Lets the processor learn by itself, as the genes auto_learn_metric and max_sequence_length say.",
    ),
  }),
  processorCall({
    rpc: mode.setAutolearning,
    ...switchRow("/:id/autolearning/stop", false, "deactivated-autolearn", "Lets the processor learn only when told."),
  }),
  processorCall({
    rpc: mode.setSleeping,
    ...switchRow("/:id/sleeping/start", true, "asleep", "Clears working memory and ignores observations from now on."),
  }),
  processorCall({
    rpc: mode.setSleeping,
    ...switchRow("/:id/sleeping/stop", false, "awake", "Accepts observations again."),
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/set-target-class",
    inSessions: true,
    rpc: mode.setTargetClass,
    decode: decodeSetTargetClass,
    encode: (reply) => okay(reply, '"set-target-class"'),
    summary: "Limits predictions to models whose last event holds the symbol.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/clear-target-class",
    inSessions: true,
    rpc: mode.setTargetClass,
    decode: decodeAs({ target: "" }),
    encode: (reply) => okay(reply, '"cleared-target-class"'),
    summary: "Removes the target class, so that every model can be predicted.",
  }),
];

/** Genes. */
export const geneOperations: readonly Operation[] = [
  processorCall({
    methods: ["POST"],
    path: "/:id/gene/increment-recall-threshold",
    rpc: gene.incrementRecallThreshold,
    decode: decodeIncrement,
    encode: encodeField(gene.incrementRecallThreshold.output, "text"),
    summary: "Adds a number to the gene recall_threshold, which must stay between 0 and 1.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/gene/:gene",
    rpc: gene.getGenes,
    decode: decodeGetGene,
    encode: encodeGene,
    summary: "Returns one gene as a string.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/all-genes",
    rpc: gene.getGenes,
    decode: decodeNothing,
    encode: encodeAllGenes,
    summary: "Returns all genes.",
  }),
  {
    methods: ["POST"],
    path: "/:id/genes/change",
    roles: rolesFor(gene.changeGenes),
    rpcs: [gene.changeGenes, InspectionService.method.ping],
    summary: "Changes several genes, all or none.",
    async answer(context) {
      const body = await context.body();
      const { changes, refusal } = decodeChangeGenes(body);
      checkBounds(gene.changeGenes.input, { changes }, body);
      if (refusal === "")
        return namingIgnored(encodeChangeGenes(await context.call(gene.changeGenes, { changes })), body);
      // No message can hold a value of this type, so only the processor's id and time are requested.
      return namingIgnored(encodeFaultyGenes(await context.call(InspectionService.method.ping, {}), refusal), body);
    },
  },
];
