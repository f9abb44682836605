import fs from "node:fs";
import { expect, test } from "vitest";
import type { PromptCode } from "../../src/card/notice.ts";
import { promptCodes, promptView } from "../../src/payment/fact/prompt.ts";

/** What docs/register-api.md says of the prompts is what the bridge shows: every code with its texts, and no other. */
const document = fs.readFileSync("docs/register-api.md", "utf8");
const section = /### Prompts\n([\s\S]*?)\n### /.exec(document)?.[1] ?? "";
const rows = [...section.matchAll(/^\| (`[A-Z_`, ]+`) \| (.*) \|$/gm)].map(([, codes = "", texts = ""]) => ({
  codes: [...codes.matchAll(/[A-Z_]+/g)].map(([code]) => code),
  texts,
}));

test("the table of prompts has every code, and no other", () => {
  expect(rows.flatMap(({ codes }) => codes).sort()).toEqual([...promptCodes].sort());
});

test.each(promptCodes.map((code) => [code]))("%s reads as the table says", (name) => {
  const isCode = (code: string): code is PromptCode => promptCodes.includes(code);
  if (!isCode(name)) throw new Error(name);
  const texts = rows.find(({ codes }) => codes.includes(name))?.texts ?? "";
  for (const prompt of [{ code: name }, { code: name, swipe: true as const }])
    expect(texts.split(/; (?:or: )?/)).toContain(promptView(prompt).text);
});

test("the card that is to be taken out stands beside the end", () => {
  expect(promptView({ code: "APPROVED", removeCard: true })).toEqual({
    code: "APPROVED",
    text: "Approved. Take the card out",
    removeCard: true,
  });
  expect(section).toContain("`Approved. Take the card out`");
});
