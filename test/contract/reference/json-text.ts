import type { Json } from "./exchange.ts";

const WIDTH = 110;
/** Longer texts, such as a QR code or a bundle, are cut. */
const LONG_TEXT = 300;
const SHOWN_TEXT = 100;
const LONG_LIST = 8;
const SHOWN_ITEMS = 2;

/** An ECDSA signature: random in each recording. */
const SIGNATURE = /^[A-Za-z0-9_-]{86}$/;

/** JSON for people: what fits stays on one line, and what is long is cut with "…". */
export function jsonText(value: Json, indent = ""): string {
  const short = shortened(value);
  const line = oneLine(short);
  if (indent.length + line.length <= WIDTH || typeof short !== "object" || short === null) return line;
  const deeper = `${indent}  `;
  const lines = Array.isArray(short)
    ? short.map((item) => `${deeper}${jsonText(item, deeper)}`)
    : Object.entries(short).map(([name, member]) => `${deeper}${JSON.stringify(name)}: ${jsonText(member, deeper)}`);
  const [open, close] = Array.isArray(short) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function shortened(value: Json): Json {
  if (typeof value === "string" && value.startsWith("pbt_")) return "pbt_your_token";
  if (typeof value === "string" && SIGNATURE.test(value)) return "a signature of 86 characters";
  if (typeof value === "string" && value.length > LONG_TEXT) return `${value.slice(0, SHOWN_TEXT)}…`;
  if (Array.isArray(value) && value.length > LONG_LIST)
    return [...value.slice(0, SHOWN_ITEMS), `… ${value.length - SHOWN_ITEMS} more`];
  return value;
}

function oneLine(value: Json): string {
  const short = shortened(value);
  if (typeof short !== "object" || short === null) return JSON.stringify(short);
  if (Array.isArray(short)) return `[${short.map(oneLine).join(", ")}]`;
  const members = Object.entries(short).map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
