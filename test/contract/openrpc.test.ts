import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openRpcDocument } from "../../src/register/rpc/openrpc.ts";
import { incompatibilities } from "./compatibility.ts";
import { CONTRACT_VERSION } from "./openrpc-version.ts";

const accepted: unknown = JSON.parse(readFileSync(new URL("openrpc.json", import.meta.url), "utf8"));
const present = openRpcDocument(CONTRACT_VERSION);

/** A copy of the document with one thing changed by its text. */
function changed(find: string, replace: string): unknown {
  const text = JSON.stringify(accepted);
  expect(text).toContain(find);
  return JSON.parse(text.replace(find, replace));
}

describe("openrpc.json", () => {
  it("takes nothing away from a register that was made for the accepted API", () => {
    expect(incompatibilities(accepted, present)).toEqual([]);
  });

  it("is the accepted one: after a change on purpose run `node_modules/.bin/node test/contract/accept-openrpc.ts`", () => {
    expect(present).toEqual(accepted);
  });

  it("has every method of this version, and only references that lead somewhere", () => {
    const { methods, components } = z
      .looseObject({
        methods: z.array(z.looseObject({ name: z.string() })),
        components: z.looseObject({ schemas: z.json() }),
      })
      .parse(present);
    expect(methods.map(({ name }) => name)).toEqual([
      "session.open",
      "session.challenge",
      "session.pair",
      "session.ping",
      "terminals.list",
      "terminals.test",
      "terminals.scan",
      "terminals.models",
      "terminals.pair",
      "terminals.rename",
      "terminals.replace",
      "terminals.unpair",
      "payment.start",
      "payment.get",
      "payment.wait",
      "payment.cancel",
      "payment.confirmSignature",
      "payment.capture",
      "payment.void",
      "payment.refund",
      "payment.increment",
      "payment.list",
      "payment.receipt",
      "link.create",
      "registration.pay",
      "registration.delete",
      "events.subscribe",
      "totals.get",
      "registers.pending",
      "registers.approve",
      "registers.refuse",
      "rollbacks.list",
      "rollbacks.confirm",
      "payment.timeline",
      "payment.resolve",
      "terminals.trace",
      "terminals.untrace",
      "bridge.checks",
      "bridge.log",
      "bridge.supportBundle",
    ]);
    const names = Object.keys(z.record(z.string(), z.json()).parse(components.schemas));
    const references = [...JSON.stringify(present).matchAll(/#\/components\/schemas\/([A-Za-z]+)/g)].map(
      ([, name]) => name,
    );
    expect(references.length).toBeGreaterThan(5);
    for (const name of references) expect(names).toContain(name);
    expect(JSON.stringify(present)).not.toContain("#/$defs");
  });

  it.each([
    ["a method that is gone", '"name":"payment.wait"', '"name":"payment.await"', "payment.wait is gone"],
    [
      "a parameter that is required now",
      '{"name":"tip","required":false',
      '{"name":"tip","required":true',
      "payment.start params.tip is required now",
    ],
    ["a parameter that is gone", '{"name":"cashier"', '{"name":"clerk"', "payment.start params.cashier is gone"],
    ["a value that is gone", '"decision","final"', '"final"', 'payment.wait params.until has lost "decision"'],
    ["a new state", '"REVERSING","FINAL"', '"REVERSING","HELD","FINAL"', 'Payment.state has the new value "HELD"'],
    ["a field of the payment that is gone", '"last4":', '"last5":', "Payment.card.last4 is gone"],
    [
      "a new decision",
      '"approved","not-approved"',
      '"approved","not-approved","perhaps"',
      'Payment.decision has the new value "perhaps"',
    ],
    ["an advice that is gone", '"other-card"', '"another-card"', 'Payment.reason.advice has lost "other-card"'],
    [
      "an amount that an increment needs no more",
      '"name":"amount","required":true',
      '"name":"sum","required":true',
      "payment.increment params.amount is gone",
    ],
    ["a refusal that is gone", '"cursor-gone"', '"cursor-lost"', "refusal cursor-gone is gone"],
  ])("would not pass with %s", (_what, find, replace, problem) => {
    expect(incompatibilities(accepted, changed(find, replace))).toContain(problem);
  });

  it("would pass with a new advice: that list may grow", () => {
    expect(incompatibilities(accepted, changed('"other-card"', '"other-card","other-terminal"'))).toEqual([]);
  });

  it("would pass with a new method, parameter or field", () => {
    const grown = changed(
      '{"name":"tip","required":false',
      '{"name":"note","required":false,"schema":{"type":"string"}},{"name":"tip","required":false',
    );
    expect(incompatibilities(accepted, grown)).toEqual([]);
  });
});
