import { readFileSync } from "node:fs";

/** One line of test/vectors/parameters.tsv: what the specification says, made without looking at our schemas. */
export interface Line {
  readonly chapter: string;
  readonly name: string;
  readonly format: string;
  readonly need: string;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const text = readFileSync(new URL("../../../vectors/parameters.tsv", import.meta.url), "utf8");

/** Every line but the comments and the column names. */
export const table: readonly Line[] = text
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .slice(1)
  .map((line) => {
    const [chapter = "", name = "", format = "", need = "", valid = "", invalid = ""] = line.split("\t");
    return { chapter, name, format, need, valid: examples(valid), invalid: examples(invalid) };
  });

/** What a request may say, response fields left out. */
export const requested: readonly Line[] = table.filter(({ need }) => need !== "response");

function examples(cell: string): readonly string[] {
  return cell === ""
    ? []
    : cell.split(" ; ").map((example) => (example === "∅" ? "" : example.replaceAll(/\{(.)×(\d+)\}/gu, repeated)));
}

function repeated(_: string, character: string, times: string): string {
  return character.repeat(Number(times));
}

/** A name as it could be sent. */
export function sendable(name: string): string {
  const key = name.startsWith("overridePaymentType") ? "[VISA]" : "[SHOPPER_key.1]";
  return name.replaceAll("[n]", "[0]").replace("[key]", key).replace("<network>", "visa");
}
