import type { Notice } from "../../src/card/notice.ts";
import type { Ask, Device } from "./flow.ts";
import type { Heard } from "./message.ts";
import { deviceFault, OK, UNSUPPORTED } from "./status-codes.ts";

/** The user's slot, at 5 V and by EMV's own rules (PROTOCOL.md 4.11). */
export const SLOT = Uint8Array.of(0x00);

export const LOOK_AT_SLOT: Ask = { name: "slot", data: SLOT };

const IN = 0x00;

/** Whether a card is in the slot; undefined where the device does not tell. An error of the reader means that there is none (PROTOCOL.md 4.11). */
export function slotIn({ rc, data }: Pick<Extract<Heard, { is: "answer" }>, "rc" | "data">): boolean | undefined {
  if (rc === UNSUPPORTED || deviceFault(rc) !== undefined) return undefined;
  return rc === OK && (data[0] ?? IN) === IN;
}

/** The slot as it was found; told where that is news, the first time whatever it is: that an earlier card is gone has to be known too. */
export function slotSeen(device: Device, card: boolean): { readonly device: Device; readonly notices: readonly Notice[] } {
  return { device: { ...device, card }, notices: device.card === card ? [] : [{ n: 0, on: "slot", card }] };
}
