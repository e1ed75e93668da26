/**
 * The tenants that share this memory: one is entered, and calls act on it. The state of each other waits in a block.
 */

import { clearModels } from "../corpus/knowledge";
import { changeSlots } from "../corpus/slot-changes";
import { allocate, release } from "../memory/arena";
import { TENANT_BYTES, tenant, tenantState } from "../memory/tenant";
import { clearVectors } from "../vectors/vectors";

/** The block of the entered tenant; 0 for none. */
let entered: usize = 0;

/** Creates an empty tenant and enters it; returns its block, which identifies it. */
export function createTenant(): usize {
  leave();
  memory.fill(tenantState, 0, TENANT_BYTES);
  entered = allocate(TENANT_BYTES);
  clearModels();
  return entered;
}

/** Makes calls act on a tenant. */
export function enterTenant(block: usize): void {
  if (block !== entered) {
    leave();
    changeSlots();
    memory.copy(tenantState, block, TENANT_BYTES);
    entered = block;
  }
}

/** Forgets a tenant and frees all of its blocks. Returns the bytes that it still holds then: 0. */
export function releaseTenant(block: usize): usize {
  enterTenant(block);
  clearModels();
  clearVectors();
  release(block, TENANT_BYTES);
  entered = 0;
  return tenant.held;
}

/** Bytes that the entered tenant holds, including the unused parts of its blocks. */
export function tenantBytes(): usize {
  return tenant.held;
}

function leave(): void {
  if (entered !== 0) {
    memory.copy(entered, tenantState, TENANT_BYTES);
    entered = 0;
  }
}
