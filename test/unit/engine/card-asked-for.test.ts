import { expect, test } from "vitest";
import type { CardData, Sealed } from "../../../src/card/card-data.ts";
import type { CollectRequest } from "../../../src/card/command.ts";
import { currencyOf } from "../../../src/kit/money.ts";
import { Secret } from "../../../src/kit/secret.ts";
import type { StartRequest } from "../../../src/payment/fact/request.ts";
import { obliging } from "../../support/bench-terminal.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, softDecline } from "../../support/sale.ts";

/*
 * The card signs what the terminal is asked for (9F02, 5F2A, 9C), and the gateway books what its request says: both
 * have to be what the register asked for.
 */

async function askedFor(changes: Partial<StartRequest>) {
  const counter = openCounter();
  void counter.payments.start(till, startRequest("R-1", changes));
  await counter.clock.advance(5_000);
  const requests: CollectRequest[] = counter.terminal.commands.flatMap((command) =>
    command.do === "collect" ? [command.request] : [],
  );
  return { card: requests[0], gateway: counter.posted[0]?.operation };
}

test.each([
  ["a sale", {}, { amount: 1234, transactionType: "00" }],
  ["a preauthorization", { type: "PREAUTHORIZATION" }, { amount: 1234, transactionType: "00" }],
  ["money given back", { type: "REFUND" }, { amount: 1234, transactionType: "20" }],
  ["a sale with a tip, which is a part of the amount", { tip: 234 }, { amount: 1234, transactionType: "00" }],
  ["a sale in yen, which have no decimals", { currency: "JPY", amount: 1200 }, { amount: 1200, transactionType: "00" }],
  ["a sale in francs", { currency: "CHF" }, { amount: 1234, transactionType: "00" }],
] satisfies [string, Partial<StartRequest>, Partial<CollectRequest>][])(
  "%s is the same to the card and to the gateway",
  async (_, changes, asked) => {
    const { card, gateway } = await askedFor(changes);
    const code = "currency" in changes ? changes.currency : "EUR";
    expect(card).toMatchObject({
      ...asked,
      currencyCode: code,
      currencyNumeric: currencyOf(code)?.numeric,
      decimals: currencyOf(code)?.decimals,
    });
    expect(gateway).toMatchObject({ amount: asked.amount, currency: code });
  },
);

test("to store a card nothing is taken: the card signs zero, and the gateway is told no amount", async () => {
  const { card, gateway } = await askedFor({ type: "REGISTRATION", amount: 0 });
  expect(card).toMatchObject({ amount: 0, transactionType: "00" });
  expect([gateway?.paymentType, gateway?.amount, gateway?.currency]).toEqual(["RG", undefined, undefined]);
});

const sealedAs = (ksn: string): Sealed => ({ data: new Secret("00"), ksn });
const tapped: CardData = {
  interface: "contactless-chip",
  decision: "online",
  icc: [],
  sred: sealedAs("tap"),
  masked: { last4: "0050" },
};

test("a PIN that is typed after the tap goes with what was sealed of that tap", async () => {
  const counter = openCounter({
    can: { interfaces: ["contactless"], pinAfterTap: true },
    script: (command) => {
      if (command.do === "ask-pin") return [{ on: "pin", pin: sealedAs("pin") }];
      return command.do === "collect" ? [{ on: "card", card: tapped }] : obliging(command);
    },
    answer: ({ sealed }) => (sealed?.pin === undefined ? softDecline : approval()),
  });
  void counter.payments.start(till, startRequest("R-1", { amount: 1234 }));
  await counter.clock.advance(5_000);
  expect(counter.posted.map(({ sealed }) => [sealed?.sred?.ksn, sealed?.pin?.ksn])).toEqual([
    ["tap", undefined],
    ["tap", "pin"],
    [undefined, undefined],
  ]);
});
