import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passesLuhn } from "../../../packages/sandbox/gateway/accounts/check-digits.ts";
import { testCards } from "../../../packages/sandbox/gateway/accounts/test-cards.ts";
import type { Sent } from "../../../src/gateway/parameters/chapter.ts";
import { runsOf } from "../../support/dose.ts";
import { validForm } from "../gateway/parameters/forms.ts";
import { shop, VISA } from "./accounts-bench.ts";
import { type Bench, bench } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

/**
 * What identifies an account or proves that somebody holds it (specification, the chapters of the accounts, "Gift
 * card", "Sender", "Recipient", "Risk").
 */
const SECRETS = [
  ...[
    "card.number",
    "bankAccount.iban",
    "bankAccount.number",
    "tokenAccount.number",
    "tokenAccount.cryptogram",
    "applePay.paymentToken",
  ],
  ...[
    "giftCard.number",
    "giftCard.pin",
    "sender.accountNumber",
    "recipient.accountNumber",
    "risk.accountToken",
    "pos.encryptedSred.data",
  ],
];
/** Shorter ones are found in any text by chance. */
const LONG = 8;

/**
 * Undefined: none was sent, or one that is found in other text: short, or said again by the merchant himself under
 * another name.
 */
function secretOf(form: Sent, name: string): string | undefined {
  const secret = form.get(name) ?? "";
  const isSaidAgain = [...form].some(([other, value]) => other !== name && value.includes(secret));
  return secret.length < LONG || isSaidAgain ? undefined : secret;
}

/** Every string in a JSON value, names included. */
function stringsIn(json: unknown): readonly string[] {
  if (typeof json === "string") return [json];
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => [name, ...stringsIn(value)]);
}

/**
 * Everything that the gateway says of a payment anywhere: its reply, its reading, a query, the ledger and what is told
 * to webhooks.
 */
async function everythingSaid(on: Bench, form: Sent): Promise<readonly string[]> {
  const body = new URLSearchParams([...form].map(([name, value]): [string, string] => [name, value])).toString();
  const before = on.sandbox.ledger().length;
  const replied = await on.raw("POST", "/v1/payments", body);
  const rows = on.sandbox.ledger().slice(before);
  const read = await Promise.all(
    rows.map(({ id }) => on.raw("GET", `/v1/query/${id}?entityId=${ENTITY}&includeLinkedTransactions=true`)),
  );
  const bodies = [replied, ...read].map((handled): unknown =>
    handled.is === "reply" ? JSON.parse(handled.body) : undefined,
  );
  return [...bodies, rows].flatMap(stringsIn);
}

const forms = validForm("payment").map(
  (form) =>
    new Map(
      [...form]
        .filter(([name]) => name !== "referenceUuid" && name !== "registrationId")
        .map(([name, value]) => [name, name === "entityId" ? ENTITY : value]),
    ),
);

describe("whatever the specification allows", () => {
  test("nothing that identifies an account is said again anywhere", async () => {
    const on = bench();
    await fc.assert(
      fc.asyncProperty(forms, async (form) => {
        const said = await everythingSaid(on, new Map([...form, ["entityId", ENTITY], ["currency", "EUR"]]));
        for (const name of SECRETS) {
          const secret = secretOf(form, name);
          if (secret !== undefined) expect([name, said.filter((text) => text.includes(secret))]).toEqual([name, []]);
        }
      }),
      { numRuns: runsOf(50, 150) },
    );
    expect(on.sandbox.ledger().length).toBeGreaterThan(runsOf(16, 50));
  });

  test("a security code is kept as stars, and told nowhere", async () => {
    const on = shop();
    async function toldWith(cvv: string, stores: boolean): Promise<readonly string[]> {
      await on.pay(VISA, { "card.cvv": cvv, ...(stores && { createRegistration: "true" }) });
      const row = on.sandbox.ledger().at(-1);
      expect(row?.parameters["card.cvv"]).toBe("***");
      return stringsIn([row?.issuer, row?.stored]);
    }
    // The card's expiry year and its last digits look like a code, and are told whatever the code is.
    const told = new Set(await toldWith("123", true));
    const codes = fc.stringMatching(/^[0-9]{3,4}$/).filter((code) => !told.has(code));
    await fc.assert(
      fc.asyncProperty(codes, fc.boolean(), async (cvv, stores) => {
        expect((await toldWith(cvv, stores)).filter((text) => text === cvv || text === "cvv")).toEqual([]);
      }),
      { numRuns: runsOf(20, 60) },
    );
  });
});

describe("a card number", () => {
  const published = new Set(testCards.map(({ number }) => number));
  const others = fc
    .stringMatching(/^[2-6][0-9]{14}$/)
    .map((digits) => [...Array(10).keys()].map((last) => `${digits}${last}`).find(passesLuhn) ?? "");

  test("that is not published is never approved and never stored, whoever's it is", async () => {
    const on = shop();
    await fc.assert(
      fc.asyncProperty(others, async (number) => {
        const { code, body } = await on.pay(VISA, {
          paymentBrand: undefined,
          "card.number": number,
          createRegistration: "true",
        });
        expect(published.has(number) || /^(800\.100\.151|100\.100\.(500|601))$/.test(code)).toBe(true);
        expect(body.registrationId).toBeUndefined();
      }),
      { numRuns: runsOf(66, 200) },
    );
  });

  test("that is published stays whole nowhere, not even stored", async () => {
    const on = shop();
    for (const { number } of testCards)
      await on.pay(VISA, { paymentBrand: undefined, "card.number": number, createRegistration: "true" });
    const text = JSON.stringify(on.sandbox.ledger());
    expect(testCards.filter(({ number }) => text.includes(number))).toEqual([]);
  });
});
