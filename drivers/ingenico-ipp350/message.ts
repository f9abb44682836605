import type { Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { type EmvMessage, looseObjects, parseEmv } from "./emv-message.ts";
import { encodeFrame, FS, GS } from "./frame.ts";

export type Heard =
  /** An answer: its message number, and the text after the dot. */
  | { readonly is: "reply"; readonly id: string; readonly text: string }
  /** 09.: card inserted or slot empty (PROTOCOL.md 5.1). */
  | { readonly is: "slot"; readonly card: boolean }
  /** Unsolicited 10.: the red key (PROTOCOL.md 5.2). */
  | { readonly is: "cancel-key" }
  | ({ readonly is: "emv" } & EmvMessage)
  /** An unreadable EMV message; its remains are only searched for clear card data. */
  | { readonly is: "damaged"; readonly objects: readonly Tlv[] }
  | { readonly is: "other" };

/** Classifies a body from the device. Never throws. */
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

/** Card type, version and transaction type, two digits each, then the status. */
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

/** Frames from the host (PROTOCOL.md 3). */
export const say = {
  offline: encodeFrame("00.0000"),
  unitData: encodeFrame("07."),
  status: encodeFrame("11."),
  /** Amount, without cashback. */
  amount: (minor: number): Uint8Array => encodeFrame(`13.${minor}${GS}`),
  transactionType: (type: string): Uint8Array => encodeFrame(`14.${type}`),
  /** Credit, without a question to the customer. */
  paymentType: encodeFrame("04.1B000"),
  read: (prompt: string, form: string, readers: string): Uint8Array =>
    encodeFrame(`23.${prompt}${FS}${form}${FS}${FS}${readers}`),
  text: (form: string, element: string, text: string): Uint8Array => encodeFrame(`24.${form}${FS}T${element},${text}`),
  setVariable: (id: string, value: string): Uint8Array => encodeFrame(`28.10${id}${value}`),
  getVariable: (id: string): Uint8Array => encodeFrame(`29.00${id}`),
  /** A DUKPT key, for the card number that was read last. */
  pin: (key: string, prompt: string, form: string): Uint8Array => encodeFrame(`31.D${key}${prompt}${FS}${FS}${form}`),
  configuration: (group: string, index: string): Uint8Array => encodeFrame(`61.${group}${GS}${index}${GS}`),
} as const;

/** Variables (PROTOCOL.md 8). */
export const variables = { time: "000201", date: "000202", restart: "000500" } as const;

/** The value in an answer to getVariable or setVariable; undefined for another variable or a refusal. */
export function variableIn(text: string, id: string): string | undefined {
  return text.startsWith("2") && text.slice(2, 8) === id ? text.slice(8) : undefined;
}

/** The value in an answer to `configuration`; "other" if the answer is for another entry. */
export function settingIn(
  text: string,
  group: string,
  index: string,
): { readonly value: string } | "refused" | "other" {
  const [entry = ""] = text.slice(1).split(FS);
  const [told, place, value] = entry.split(GS);
  if (place !== undefined && (told !== group || place !== index)) return "other";
  return text.startsWith("2") && value !== undefined ? { value } : "refused";
}

export interface CardRead {
  readonly exit: string;
  readonly source: string;
  readonly tracks: readonly [string, string, string];
}

export function cardReadIn(text: string): CardRead {
  const [first = "", second = "", third = ""] = text.slice(2).split(FS);
  return { exit: text.slice(0, 1), source: text.slice(1, 2), tracks: [first, second, third] };
}
