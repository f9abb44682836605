import type { Tlv } from "../../src/emv/tlv.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { ANSWER_MS, answer, type VipaDevice } from "../vipa/simulator-core.ts";

/** The command for which the session works; its outcome is that command's answer. */
export type Open = "none" | "start" | "tap" | "continue" | "pin" | "secure-data";

/** State of one device while it is powered. */
export interface Miura extends VipaDevice {
  open: Open;
  /** The party that waits for CONTINUE. */
  held: "nobody" | "chip" | "tap";
  /** Digits typed for GET SECURE DATA. */
  store: readonly Tlv[];
}

export function newMiura(device: VipaDevice): Miura {
  return { ...device, open: "none", held: "nobody", store: [] };
}

/** Answers the running command after the device's usual delay, then starts the next one. */
export function reply(miura: Miura, body: Uint8Array, statusWord?: string, delayMs = ANSWER_MS): void {
  miura.open = "none";
  answer(miura, body, statusWord, delayMs);
}

/** An answer in an E1. */
export function replyObjects(miura: Miura, objects: readonly Tlv[]): void {
  reply(miura, encodeTemplate("E1", objects));
}
