import { expect, it } from "vitest";
import { CallRefused } from "../../../src/client/errors.ts";
import { refusalOf, refusals, TerminalBusy } from "../../../src/client/refusals.ts";
import {
  internalError,
  invalidParams,
  originNotAllowed,
  parseRequest,
  refusalCodes,
  unknownMethod,
} from "../../../src/register/rpc/rpc.ts";

const error = (code: string) => ({
  code: -32000,
  message: "no",
  data: { code, message: "no", advice: "retry" as const },
});

/** JSON-RPC's own errors, as the bridge words them. */
const standard = [
  ...["{", "[]"].flatMap((text) => {
    const parsed = parseRequest(text);
    return parsed.ok ? [] : [parsed.error];
  }),
  unknownMethod(),
  invalidParams({ path: "amount", message: "is missing" }),
  internalError(),
  originNotAllowed("no"),
].map(({ data }) => data.code);

it("has a class for each code of the bridge, and for no other", () => {
  expect(Object.keys(refusals).sort()).toEqual([...refusalCodes, ...standard].sort());
});

it.each(Object.entries(refusals))("makes %s of its own class, which is a CallRefused", (code, Refusal) => {
  const refused = refusalOf(error(code));
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toBeInstanceOf(CallRefused);
  expect(refused.code).toBe(code);
  expect(Refusal.name.replaceAll(/(?<!^)([A-Z])/g, "-$1").toLowerCase()).toBe(code);
});

it("makes a plain CallRefused of a code that came later", () => {
  const refused = refusalOf(error("something-new"));
  expect(refused.constructor).toBe(CallRefused);
  expect(refused.code).toBe("something-new");
});

it("tells which payment is in the way", () => {
  const { data, ...rest } = error("terminal-busy");
  const refused = refusalOf({ ...rest, data: { ...data, reference: "r-7", register: "till-2" } });
  expect(refused).toBeInstanceOf(TerminalBusy);
  expect([refused.reference, refused.register]).toEqual(["r-7", "till-2"]);
});
