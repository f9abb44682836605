import { readFileSync } from "node:fs";

/** A row of the table in examples/README.md. */
export interface Example {
  readonly language: string;
  readonly file: string;
  readonly command: string;
}

const ROW = /^\| (?<language>[^|]+) \| \[(?<file>[^\]]+)\]\(\k<file>\) \| [^|]+ \| `(?<command>[^`]+)` \|$/gm;

export function readExamples(): readonly Example[] {
  const page = readFileSync("examples/README.md", "utf8");
  return [...page.matchAll(ROW)].map(({ groups: { language = "", file = "", command = "" } = {} }) => ({
    ...{ language, file, command },
  }));
}
