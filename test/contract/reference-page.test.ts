import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openRpcDocument } from "../../src/register/rpc/openrpc.ts";
import { gapsOf } from "./reference/gaps.ts";
import { recordExchanges } from "./reference/method-exchanges.ts";
import { referencePage } from "./reference/reference-page.ts";
import { readDocument } from "./reference/tables.ts";

const recorded = await recordExchanges();
const document = readDocument(openRpcDocument(""));

it("docs/register-reference.md is what the schemas and a bridge say; else run `npm run reference-page`", () => {
  const page = readFileSync(new URL("../../docs/register-reference.md", import.meta.url), "utf8");
  expect(referencePage(recorded)).toBe(page);
});

it("every method, notification and error has an exchange, and every field a meaning", () => {
  expect(gapsOf(document, recorded)).toEqual([]);
});

it("misses what an added method, parameter or error lacks", () => {
  const [start, ...others] = document.methods;
  if (start === undefined) throw new Error("there is no method");
  const added = {
    ...start,
    name: "payment.repeat",
    params: [{ name: "times", required: true, schema: { type: "integer" } }],
  };
  const { schemas, errors } = document.components;
  const grown = {
    ...document,
    methods: [start, ...others, added],
    components: { schemas, errors: { ...errors, "terminal-asleep": { code: -32099, message: "", "x-fix": "" } } },
  };
  expect(gapsOf(grown, recorded)).toEqual([
    "payment.repeat: no exchange (test/contract/reference)",
    "payment.repeat parameter times: no meaning (.describe at its schema)",
    "error terminal-asleep: no exchange (test/contract/reference)",
    "error terminal-asleep: no meaning",
  ]);
});
