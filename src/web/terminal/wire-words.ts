import type { WireEntry, WireObject } from "./control-schema.ts";

/** A frame for people; repeated frames are counted. */
export interface WireLine {
  readonly key: number;
  readonly at: string;
  readonly from: "bridge" | "terminal" | "link";
  readonly title: string;
  readonly times: number;
  readonly objects: readonly ObjectWords[];
}

export interface ObjectWords {
  readonly tag: string;
  readonly name: string;
  /** Undefined: the value is hidden. */
  readonly value: string | undefined;
  /** The value in words, if they say more. */
  readonly words: string | undefined;
  readonly length: number;
}

const FROM = { sent: "bridge", received: "terminal", link: "link" } as const;

export function wireLines(entries: readonly WireEntry[]): readonly WireLine[] {
  const lines: WireLine[] = [];
  for (const { n, at, direction, name, objects } of entries) {
    const line: WireLine = {
      key: n,
      at,
      from: FROM[direction],
      title: frameWords(name),
      times: 1,
      objects: objects.map(objectWords),
    };
    const last = lines.at(-1);
    const repeats =
      last !== undefined &&
      last.from === line.from &&
      last.title === line.title &&
      last.objects.length + objects.length === 0;
    if (repeats) lines.splice(-1, 1, { ...last, times: last.times + 1 });
    else lines.push(line);
  }
  return lines;
}

/** Names from drivers, such as "start-transaction" and "answer 9000 (done)". */
function frameWords(name: string): string {
  const words = name.replace(/^told: /, "tells: ").replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** EMV data that the bridge itself does not use. */
const NAMES: Readonly<Record<string, string>> = {
  "71": "issuer script",
  "72": "issuer script",
  "91": "issuer’s cryptogram",
};

function objectWords({ tag, name, value, length }: WireObject): ObjectWords {
  return {
    tag,
    name: name ?? NAMES[tag] ?? "the maker’s own",
    value,
    words: value === undefined ? undefined : VALUES[tag]?.(value),
    length,
  };
}

const date = (value: string): string => `20${value.slice(0, 2)}-${value.slice(2, 4)}-${value.slice(4, 6)}`;
const clock = (value: string): string => `${value.slice(0, 2)}:${value.slice(2, 4)}:${value.slice(4, 6)}`;
/** Twelve digits; the terminals here use two decimals. */
const amount = (value: string): string => `${value.slice(0, -2).replace(/^0+(?=.)/, "")}.${value.slice(-2)}`;
const numbers: Readonly<Record<string, string>> = {
  "0978": "EUR",
  "0840": "USD",
  "0826": "GBP",
  "0756": "CHF",
  "0276": "Germany",
};
const TYPES: Readonly<Record<string, string>> = { "00": "sale", "20": "refund" };
const CRYPTOGRAMS: Readonly<Record<string, string>> = {
  "00": "AAC: the card declines",
  "40": "TC: the card agrees",
  "80": "ARQC: the issuer is to decide",
};

function responseCode(value: string): string {
  const code = (value.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join("");
  return code === "00" ? "00: approved" : /^[0-9A-Z]{2}$/.test(code) ? `${code}: not approved` : "";
}

const VALUES: Readonly<Record<string, (value: string) => string | undefined>> = {
  "9F02": amount,
  "9F03": amount,
  "9A": date,
  "9F21": clock,
  "9C": (value) => TYPES[value],
  "5F2A": (value) => numbers[value],
  "9F1A": (value) => numbers[value],
  "9F27": (value) => CRYPTOGRAMS[(Number.parseInt(value, 16) & 0xc0).toString(16).padStart(2, "0")],
  "8A": responseCode,
  "9F36": (value) => `transaction number ${Number.parseInt(value, 16)} of this card`,
};
