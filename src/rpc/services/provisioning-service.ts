/** ProvisioningService: how an agent makes and retires its processors. */

import type { ServiceImpl } from "@connectrpc/connect";
import { ProvisioningService } from "../../gen/noema/v1/provisioning_service_pb";
import type { GeneChange } from "../../processor/genes/genes";
import { methodPath } from "../transport/method-path";
import type { PlainStamp } from "./connect-error";
import { travelling } from "./serve";

const { method } = ProvisioningService;

/** Where a processor stands in its agent. */
export interface Place {
  /** The agent's name; empty for a processor that has none to report to. */
  agent: string;
  /** The manipulatives that carry what it predicts to others, in their order. */
  outlets: readonly {
    manipulative: string;
    fields: readonly string[];
    targets: readonly { id: string; endpoint: string }[];
  }[];
}

/** Puts one processor into service and takes it out. */
export interface Provisioner {
  /**
   * Makes the processor, or gives the one that is there another name and place.
   *
   * @param genes the initial genes, for a processor that is new
   * @throws Fault `invalid` for an empty id, another processor's id, a gene that is unknown or refused, or a field that no
   *   prediction has; nothing has changed
   */
  provision(id: string, name: string, genes: readonly GeneChange[], place: Place): PlainStamp;
  /**
   * Takes the processor out of service.
   *
   * @param purge delete all data too
   * @throws ConnectError `FailedPrecondition` when there is none
   */
  retire(purge: boolean): Promise<void>;
}

/** Implements the service by what owns the processor. */
export function provisioningService(provisioner: Provisioner): ServiceImpl<typeof ProvisioningService> {
  const anonymous = () => undefined;
  return {
    provision: ({ id, name, genes, agent, outlets }) => {
      try {
        return { stamp: provisioner.provision(id, name, genes, { agent, outlets }) };
      } catch (error) {
        throw travelling(error, methodPath(method.provision), anonymous);
      }
    },
    retire: async ({ purge }) => {
      try {
        await provisioner.retire(purge);
        return {};
      } catch (error) {
        throw travelling(error, methodPath(method.retire), anonymous);
      }
    },
  };
}
