/**
 * Your Worker: Noema unchanged. To do something before or after Noema, export your own `fetch` that calls the one from
 * `noema/worker`.
 */

export { AgentObject, default, ProcessorObject } from "noema/worker";
