import type { Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, isHex, toHex } from "../../src/kit/hex.ts";
import { FS } from "./frame.ts";

/*
 * EMV messages 33.NN (PROTOCOL.md 4). Objects are text: T8A:0002:a00 is letter, tag, byte count, h (hexadecimal) or a
 * (text) with the value. The maker's own tags have four digits and match no EMV tag, so they share one list.
 */

export interface EmvMessage {
  /** The NN of 33.NN. */
  readonly step: string;
  /** "00" is success. */
  readonly status: string;
  readonly objects: readonly Tlv[];
}

/** The maker's tags that are used here (PROTOCOL.md 4.4). */
export const own = {
  pinRequired: "1001",
  confirmation: "1003",
  errorCode: "1010",
  tapPin: "101B",
  entryMode: "9001",
  maskedNumber: "FF1D",
  sealedTracks: ["FF1F", "FF21", "FF1E"],
} as const;

/** 33.NN with its own fields after the head, then objects. */
export function emvBody(
  step: string,
  fields: readonly string[],
  objects: readonly Tlv[],
  textTags: readonly string[] = TEXT_TAGS,
): string {
  const parts = [`33.${step}.0000`, ...fields, ...objects.map((object) => objectText(object, textTags))];
  return parts.length === 1 ? parts.join("") : `${parts.join(FS)}${FS}`;
}

/** Tags whose value is sent as text if it is printable (PROTOCOL.md 4.2). */
export const TEXT_TAGS: readonly string[] = ["8A"];

function objectText({ tag, value }: Tlv, textTags: readonly string[]): string {
  const text = ascii(value);
  const isText = textTags.includes(tag) && /^[\x20-\x7e]*$/.test(text);
  const length = value.length.toString(16).toUpperCase().padStart(4, "0");
  return `T${tag}:${length}:${isText ? `a${text}` : `h${toHex(value)}`}`;
}

/** Parses the text after "33."; undefined if it does not parse. Never throws. */
export function parseEmv(text: string): EmvMessage | undefined {
  const [, step, status] = /^([0-9]{2})\.([0-9A-Z]{2})/.exec(text) ?? [];
  if (step === undefined || status === undefined) return undefined;
  const objects = objectsIn(text.includes(FS) ? text.slice(text.indexOf(FS)) : "");
  return objects && { step, status, objects };
}

/** Fields of an unreadable message. They are searched for clear card data and never used. */
export function looseObjects(text: string): readonly Tlv[] {
  return text.split(FS).flatMap((field) => {
    const [, tag, form, value] = /^[TD]([0-9A-Fa-f]+):[^:]*:([ah]?)(.*)$/s.exec(field) ?? [];
    if (tag === undefined || value === undefined) return [];
    return [{ tag: tagOf(tag), value: form === "h" && isHex(value) ? fromHex(value) : fromAscii(value) }];
  });
}

const HEAD = /^[TD]([0-9A-Fa-f]{2,8}):([0-9A-Fa-f]{4}):([ah])/;
/** More objects than any card and terminal send. */
const MOST_OBJECTS = 256;

/** A value may contain a separator, so its length decides where it ends. Empty fields may stand in place of objects. */
function objectsIn(text: string): readonly Tlv[] | undefined {
  const objects: Tlv[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === FS) {
      at += 1;
      continue;
    }
    const [head, tag, digits, form] = HEAD.exec(text.slice(at, at + 20)) ?? [];
    if (head === undefined || tag === undefined || digits === undefined || objects.length >= MOST_OBJECTS)
      return undefined;
    const begins = at + head.length;
    const size = Number.parseInt(digits, 16);
    const value = valueAt(text, begins, form === "h" ? [2 * size, size] : [size]);
    if (value === undefined || (form === "h" && !isHex(value))) return undefined;
    objects.push({ tag: tagOf(tag), value: form === "h" ? fromHex(value) : fromAscii(value) });
    at = begins + value.length;
  }
  return objects;
}

/** The length counts bytes. Some devices count hexadecimal characters; both are accepted (PROTOCOL.md 4.2). */
function valueAt(text: string, begins: number, sizes: readonly number[]): string | undefined {
  const size = sizes.find(
    (one) => begins + one <= text.length && (begins + one === text.length || text[begins + one] === FS),
  );
  return size === undefined ? undefined : text.slice(begins, begins + size);
}

/** Reads 008A as 8A. */
function tagOf(digits: string): string {
  const tag = digits.toUpperCase();
  return tag.replace(/^0+(?=..)/, "");
}
