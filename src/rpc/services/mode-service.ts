/** ModeService: the switches of a processor. */

import type { ServiceImpl } from "@connectrpc/connect";
import { ModeService } from "../../gen/noema/v1/mode_service_pb";
import type { Serve } from "./serve";

const { method } = ModeService;

/** Implements the service by the processor's verbs. */
export function modeService(serve: Serve): ServiceImpl<typeof ModeService> {
  return {
    setPredicting: serve(method.setPredicting, (processor, { on }) => processor.modes.setPredicting(on)),
    setAutolearning: serve(method.setAutolearning, (processor, { on }) => processor.modes.setAutolearning(on)),
    setSleeping: serve(method.setSleeping, (processor, { on }) => processor.modes.setSleeping(on)),
    setTargetClass: serve(method.setTargetClass, (processor, { target }) => processor.modes.setTargetClass(target)),
  };
}
