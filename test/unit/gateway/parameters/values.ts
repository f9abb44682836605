import fc from "fast-check";
import type { Line } from "./table.ts";

/** The signs of a format's letter, as the head of test/vectors/parameters.tsv explains it. */
const SIGNS: Readonly<Record<string, string>> = {
  N: "0123456789",
  A: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  U: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  ws: " ",
};

const fromSigns = (signs: string, [minLength, maxLength]: readonly [number, number]): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...signs), minLength, maxLength });

/** "8-255", "3", "..50" and nothing at all. */
function lengthsOf(length: string): readonly [number, number] {
  if (length === "") return [0, 300];
  if (length === "1-") return [1, 300];
  if (length.startsWith("..")) return [1, Number(length.slice(2))];
  const [min = "0", max = min] = length.split("-");
  return [Number(min), Number(max)];
}

function decimals(whole: string, fraction: string, optional: boolean): fc.Arbitrary<string> {
  const integer = fromSigns("0123456789", [1, whole === "" ? 6 : Number(whole)]);
  const two = fc
    .tuple(integer, fromSigns("0123456789", [Number(fraction), Number(fraction)]))
    .map((parts) => parts.join("."));
  return optional ? fc.oneof(two, integer) : two;
}

const day = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Random values of one format, made from the table's notation alone; of a format that has no letters its examples. */
export function anyValue({ format, valid }: Line): fc.Arbitrary<string> {
  const [notation = ""] = format.split(", key ");
  if (notation.startsWith("=")) return fc.constantFrom(...notation.slice(1).split("|"));
  if (notation === "date") return day.map((iso) => iso.slice(0, 10));
  if (notation === "datetime") return day.map((iso) => iso.slice(0, 19).replace("T", " "));
  const range = /^([0-9]+) to ([0-9]+)$/.exec(notation);
  if (range !== null)
    return fc
      .integer({ min: Number(range[1]), max: Number(range[2]) })
      .map((number) => String(number).padStart(range[1]?.length ?? 1, "0"));
  const decimal = /^D([0-9]*)\.2(\??)$/.exec(notation);
  if (decimal !== null) return decimals(decimal[1] ?? "", "2", decimal[2] === "?");
  const any = /^AN((?:\.\.)?[0-9-]*)$/.exec(notation);
  if (any !== null) return anyText(lengthsOf(any[1] ?? ""));
  const signs = /^(N|A|U|\[.+\])((?:\.\.)?[0-9-]+)$/.exec(notation);
  if (signs === null) return fc.constantFrom(...valid);
  return fromSigns(signsOf(signs[1] ?? ""), lengthsOf(signs[2] ?? ""));
}

function signsOf(list: string): string {
  const named = list.replace(/^\[(.*)\]$/, "$1").split(",");
  return named.map((name) => SIGNS[name] ?? name).join("");
}

/** A letter first, so that no street is digits only; the two ends of the length more often than the middle. */
function anyText([min, max]: readonly [number, number]): fc.Arbitrary<string> {
  const of = (length: number): fc.Arbitrary<string> =>
    fc
      .string({ unit: "grapheme-ascii", minLength: length, maxLength: length })
      .map((text) => (length === 0 ? "" : `x${text.slice(1)}`));
  return fc.oneof(of(min), of(max), fc.integer({ min, max: Math.min(max, min + 40) }).chain(of));
}
