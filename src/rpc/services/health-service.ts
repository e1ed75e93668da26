/** HealthService: whether storage works. */

import type { ServiceImpl } from "@connectrpc/connect";
import type { HealthService } from "../../gen/noema/v1/health_service_pb";

/**
 * Implements the service.
 *
 * @param check stores something and waits until it is on disk; rejects when that fails
 */
export function healthService(check: () => Promise<void>): ServiceImpl<typeof HealthService> {
  return {
    check: async () => {
      await check();
      return {};
    },
  };
}
