import { encodeTlv, encodeTlvs, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { objectsIn, tlvPayload } from "./message.ts";

/*
 * Properties by path: 2.2.1.1.1.1 is written "2.2.1.1.1.1", with each step in hexadecimal like in the maker's manuals
 * (PROTOCOL.md 4.4).
 */

export interface Property {
  readonly path: string;
  readonly value: Uint8Array;
}

const TYPE = "85";
const PREFIX = "87";
const REST = "89";

/** Tags of a step: leaf and branch. */
const LEAF = 0xc0;
const BRANCH = 0xe0;
const STEP = 0x1f;
const FILLER: readonly number[] = [];

/** Payload that asks for one property. */
export function askFor(path: string): Uint8Array {
  return payloadFor(path, new Uint8Array(0));
}

/** Payload that sets or reports one property. */
export function payloadFor(path: string, value: Uint8Array): Uint8Array {
  const steps = path.split(".").map((step) => Number.parseInt(step, 16));
  const [type = 0, ...prefix] = steps.slice(0, -1);
  const leaf = (LEAF | (steps.at(-1) ?? 0)).toString(16).toUpperCase();
  return tlvPayload([TYPE, Uint8Array.of(type)], [PREFIX, Uint8Array.from(prefix)], [REST, encodeTlv(leaf, value)]);
}

/**
 * The answer to a question: the same objects, with the path split in the same way, and a value for the leaf
 * (PROTOCOL.md 4.4).
 */
export function answerTo(question: Uint8Array, value: Uint8Array): Uint8Array {
  return encodeTlvs(
    objectsIn(question).map(({ tag, value: asked }) => ({
      tag,
      value: tag === REST ? withValue(asked, value, 0) : asked,
    })),
  );
}

function withValue(bytes: Uint8Array, value: Uint8Array, depth: number): Uint8Array {
  const parsed = parseTlv(bytes, FILLER);
  if (!parsed.ok || depth > DEEPEST) return bytes;
  return encodeTlvs(
    parsed.objects.map(({ tag, value: inside }) => ({
      tag,
      value: isBranch(tag) ? withValue(inside, value, depth + 1) : value,
    })),
  );
}

const isBranch = (tag: string): boolean => (Number.parseInt(tag.slice(0, 2), 16) & BRANCH) === BRANCH;

/** Every property in a payload with its value (empty in a question), for any split of the path. Never throws. */
export function propertiesIn(payload: Uint8Array): readonly Property[] {
  const objects = objectsIn(payload);
  const [type] = valueIn(objects, TYPE);
  if (type === undefined) return [];
  const prefix = [type, ...valueIn(objects, PREFIX)].map(stepText).join(".");
  return within(prefix, valueIn(objects, REST), 0);
}

function valueIn(objects: readonly Tlv[], tag: string): Uint8Array {
  return objects.find((object) => object.tag === tag)?.value ?? new Uint8Array(0);
}

const DEEPEST = 8;

function within(path: string, bytes: Uint8Array, depth: number): readonly Property[] {
  const parsed = parseTlv(bytes, FILLER);
  if (!parsed.ok || depth > DEEPEST) return [];
  return parsed.objects.flatMap(({ tag, value }) => {
    const byte = Number.parseInt(tag.slice(0, 2), 16);
    const next = `${path}.${stepText(byte & STEP)}`;
    if ((byte & BRANCH) === BRANCH) return within(next, value, depth + 1);
    return (byte & BRANCH) === LEAF ? [{ path: next, value }] : [];
  });
}

const stepText = (step: number): string => step.toString(16).toUpperCase();

/** Value of one property in hexadecimal, if the payload holds it. */
export function propertyIn(payload: Uint8Array, path: string): string | undefined {
  const found = propertiesIn(payload).find((property) => property.path === path);
  return found && toHex(found.value);
}
