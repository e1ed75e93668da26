/** The rows that switch a processor and change its genes. */

import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import { ModeService } from "../../gen/noema/v1/mode_service_pb";
import { decodeChangeGenes, decodeGetGene, decodeIncrement } from "../decode/gene";
import { decodeSetTargetClass } from "../decode/mode";
import { okay, type Stamped } from "../encode/envelope";
import { encodeAllGenes, encodeChangeGenes, encodeFaultyGenes, encodeGene, encodeIncrement } from "../encode/gene";
import { nothing, type Operation, processorCall, type Verb } from "./operation";

const mode = ModeService.method;
const gene = GeneService.method;

/** What the start or stop of a switch has besides its call. */
function turning(path: string, on: boolean, message: string, doc: string) {
  const verbs: readonly Verb[] = ["POST"];
  return { verbs, path, doc, decode: () => ({ on }), encode: (reply: Stamped) => okay(reply, `"${message}"`) };
}

/** The flags and the target class. */
export const modeOperations: readonly Operation[] = [
  processorCall({
    rpc: mode.setPredicting,
    ...turning("/:id/predicting/start", true, "activated-predictions", "Makes predictions from now on."),
  }),
  processorCall({
    rpc: mode.setPredicting,
    ...turning("/:id/predicting/stop", false, "deactivated-predictions", "Makes no predictions any more."),
  }),
  processorCall({
    rpc: mode.setAutolearning,
    ...turning("/:id/autolearning/start", true, "activated-autolearn", "Learns by itself from now on."),
  }),
  processorCall({
    rpc: mode.setAutolearning,
    ...turning("/:id/autolearning/stop", false, "deactivated-autolearn", "Learns only when told."),
  }),
  processorCall({
    rpc: mode.setSleeping,
    ...turning("/:id/sleeping/start", true, "asleep", "Ignores observations from now on."),
  }),
  processorCall({
    rpc: mode.setSleeping,
    ...turning("/:id/sleeping/stop", false, "awake", "Observes again."),
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/set-target-class",
    rpc: mode.setTargetClass,
    decode: decodeSetTargetClass,
    encode: (reply) => okay(reply, '"set-target-class"'),
    doc: "Predicts only models whose last event holds the symbol.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/clear-target-class",
    rpc: mode.setTargetClass,
    decode: () => ({ target: "" }),
    encode: (reply) => okay(reply, '"cleared-target-class"'),
    doc: "Predicts all models again.",
  }),
];

/** The genes. */
export const geneOperations: readonly Operation[] = [
  processorCall({
    verbs: ["POST"],
    path: "/:id/gene/increment-recall-threshold",
    rpc: gene.incrementRecallThreshold,
    decode: decodeIncrement,
    encode: encodeIncrement,
    doc: "Adds to the gene recall_threshold, within 0 to 1.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/gene/:gene",
    rpc: gene.getGenes,
    decode: decodeGetGene,
    encode: encodeGene,
    doc: "Reads one gene as a string.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/all-genes",
    rpc: gene.getGenes,
    decode: nothing,
    encode: encodeAllGenes,
    doc: "Reads all genes.",
  }),
  {
    verbs: ["POST"],
    path: "/:id/genes/change",
    rpcs: [gene.changeGenes, InspectionService.method.ping],
    doc: "Sets several genes, all or none.",
    async answer(exchange) {
      const { changes, refusal } = decodeChangeGenes(await exchange.body());
      if (refusal === "") return encodeChangeGenes(await exchange.call(gene.changeGenes, { changes }));
      // A value that no gene can hold has no place in the message; the processor is asked only who and when it is.
      return encodeFaultyGenes(await exchange.call(InspectionService.method.ping, {}), refusal);
    },
  },
];
