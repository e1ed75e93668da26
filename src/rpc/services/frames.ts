/** Frames of streams: what several calls of MemoryService do, in one. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Frame, type FrameAnswer, FrameAnswerSchema } from "../../gen/noema/v1/frame_pb";
import type { Processor } from "../../processor/processor";
import { withUniqueId } from "./memory-service";
import { assertFields, withColumns } from "./prediction-fields";

/**
 * Does what a frame asks for. Call it as a verb that writes.
 *
 * @param source the client's name for the stream, under which the memory keeps the frame's number; `undefined` when it keeps none
 * @throws Fault as the calls of MemoryService; nothing of the frame may stay then
 */
export function answerFrame(processor: Processor, frame: Frame, source: string | undefined): FrameAnswer {
  const { memory } = processor;
  const { clear, learn, observe, predictions: asked } = frame;
  if (asked !== undefined) assertFields(asked.fields);
  const delivery = source === undefined ? undefined : { source, number: frame.n };
  const sequence = observe?.gdfs.map(withUniqueId) ?? [];
  const { observed, learnedModel, redelivered } = memory.takeFrame({ sequence, learn, clear, delivery });
  const answer: MessageInitShape<typeof FrameAnswerSchema> = { interval: processor.time, redelivered };
  if (redelivered) return create(FrameAnswerSchema, answer);
  if (asked !== undefined) {
    const { uniqueId, fields, top } = asked;
    answer.predictions = withColumns(memory.getPackedPredictions(uniqueId, top === undefined ? {} : { top }), fields);
  }
  return create(FrameAnswerSchema, { ...answer, observed, learnedModel });
}
