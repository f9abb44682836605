import type { Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { type EmvMessage, looseObjects, parseEmv } from "./emv-message.ts";
import { encodeFrame, FS, GS } from "./frame.ts";

/** What came off the line. */
export type Heard =
  /** An answer: the number of its message, and what stands behind the dot. */
  | { readonly is: "reply"; readonly id: string; readonly text: string }
  /** 09.: a card is in, or the slot is empty (PROTOCOL.md 5.1). */
  | { readonly is: "slot"; readonly card: boolean }
  /** 10. that nobody asked for: the red key (PROTOCOL.md 5.2). */
  | { readonly is: "cancel-key" }
  | ({ readonly is: "emv" } & EmvMessage)
  /** An EMV message that cannot be read; what can be made out of it is only looked at for card data in clear. */
  | { readonly is: "damaged"; readonly objects: readonly Tlv[] }
  | { readonly is: "other" };

/** What a body of the device's is. Never throws. */
export function heardIn(body: Uint8Array): Heard {
  const [, id, text = ""] = /^([0-9]{2})\.(.*)$/s.exec(ascii(body)) ?? [];
  switch (id) {
    case undefined:
      return { is: "other" };
    case "09":
      return slotIn(text);
    case "10":
      return { is: "cancel-key" };
    case "33": {
      const message = parseEmv(text);
      return message === undefined ? { is: "damaged", objects: looseObjects(text) } : { is: "emv", ...message };
    }
    default:
      return { is: "reply", id, text };
  }
}

/** Card type, version and transaction type of two digits each, then the status. */
function slotIn(text: string): Heard {
  switch (/^[0-9A-Z]{6}([IRP])/.exec(text)?.[1]) {
    case "I":
    case "P":
      return { is: "slot", card: true };
    case "R":
      return { is: "slot", card: false };
    default:
      return { is: "other" };
  }
}

/** Frames of the host's (PROTOCOL.md 3). */
export const say = {
  offline: encodeFrame("00.0000"),
  unitData: encodeFrame("07."),
  status: encodeFrame("11."),
  /** Amount and cash paid out beside it. */
  amount: (minor: number): Uint8Array => encodeFrame(`13.${minor}${GS}`),
  transactionType: (type: string): Uint8Array => encodeFrame(`14.${type}`),
  /** Credit, without asking the customer. */
  paymentType: encodeFrame("04.1B000"),
  read: (prompt: string, form: string, readers: string): Uint8Array => encodeFrame(`23.${prompt}${FS}${form}${FS}${FS}${readers}`),
  text: (form: string, element: string, text: string): Uint8Array => encodeFrame(`24.${form}${FS}T${element},${text}`),
  setVariable: (id: string, value: string): Uint8Array => encodeFrame(`28.10${id}${value}`),
  getVariable: (id: string): Uint8Array => encodeFrame(`29.00${id}`),
  /** A DUKPT key, and the number of the card that was read last. */
  pin: (key: string, prompt: string, form: string): Uint8Array => encodeFrame(`31.D${key}${prompt}${FS}${FS}${form}`),
  configuration: (group: string, index: string): Uint8Array => encodeFrame(`61.${group}${GS}${index}${GS}`),
} as const;

/** Variables (PROTOCOL.md 8). */
export const variables = { time: "000201", date: "000202", restart: "000500" } as const;

/** The value in an answer to getVariable or an acknowledgement of setVariable; undefined for another variable, or where it was refused. */
export function variableIn(text: string, id: string): string | undefined {
  return text.startsWith("2") && text.slice(2, 8) === id ? text.slice(8) : undefined;
}

/** The value in an answer to `configuration`; undefined where it was refused. "other": of another entry. */
export function settingIn(text: string, group: string, index: string): { readonly value: string } | "refused" | "other" {
  const [entry = ""] = text.slice(1).split(FS);
  const [told, place, value] = entry.split(GS);
  if (place !== undefined && (told !== group || place !== index)) return "other";
  return text.startsWith("2") && value !== undefined ? { value } : "refused";
}

/** The answer to 23. (PROTOCOL.md 6.4). */
export interface CardRead {
  readonly exit: string;
  readonly source: string;
  readonly tracks: readonly [string, string, string];
}

export function cardReadIn(text: string): CardRead {
  const [first = "", second = "", third = ""] = text.slice(2).split(FS);
  return { exit: text.slice(0, 1), source: text.slice(1, 2), tracks: [first, second, third] };
}
