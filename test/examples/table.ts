import { readFileSync } from "node:fs";

const README = "examples/README.md";

/** A row of the table in examples/README.md. */
export interface Example {
  readonly language: string;
  readonly file: string;
  readonly command: string;
}

/** The address and the placeholder that the commands name. */
const ADDRESS = "ws://127.0.0.1:7717/v1";
const TOKEN = "TOKEN";

export function readExamples(): readonly Example[] {
  const row = /^\| (?<language>[^|]+) \| \[(?<file>[^\]]+)\]\(\k<file>\) \| [^|]+ \| `(?<command>[^`]+)` \|$/gm;
  return [...readFileSync(README, "utf8").matchAll(row)].map(
    ({ groups: { language = "", file = "", command = "" } = {} }) => ({
      language,
      file,
      command,
    }),
  );
}

/** The command's words for this bridge; `npx node` is the Node of this test. */
export function wordsOf({ command }: Example, url: string, token: string): readonly string[] {
  const words = command.replace(/^npx node /, `${process.execPath} `).split(" ");
  return words.map((word) => (word === ADDRESS ? url : word === TOKEN ? token : word));
}
