import type { Notice } from "../../src/card/notice.ts";
import type { Ask, Device } from "./flow.ts";
import type { Heard } from "./message.ts";
import { deviceFault, OK, UNSUPPORTED } from "./status-codes.ts";

/** The customer slot, at 5 V and under EMV rules (PROTOCOL.md 4.11). */
export const SLOT = Uint8Array.of(0x00);

export const LOOK_AT_SLOT: Ask = { name: "slot", data: SLOT };

const IN = 0x00;

/**
 * Whether a card is in the slot; undefined if the device does not report it. A reader error means an empty slot
 * (PROTOCOL.md 4.11).
 */
export function slotIn({ rc, data }: Pick<Extract<Heard, { is: "answer" }>, "rc" | "data">): boolean | undefined {
  if (rc === UNSUPPORTED || deviceFault(rc) !== undefined) return undefined;
  return rc === OK && (data[0] ?? IN) === IN;
}

/**
 * Records the slot state. A change is reported, and so is the first state: the removal of an earlier card must be known
 * too.
 */
export function slotSeen(
  device: Device,
  card: boolean,
): { readonly device: Device; readonly notices: readonly Notice[] } {
  return { device: { ...device, card }, notices: device.card === card ? [] : [{ n: 0, on: "slot", card }] };
}
