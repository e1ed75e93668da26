/**
 * Your Worker: Noema unchanged. To do something before or after Noema, export a `fetch` of your own that calls
 * the one of `noema/worker`.
 */

export { AgentObject, default, ProcessorObject } from "noema/worker";
