import { describe, expect, it } from "vitest";
import { startResultSchema } from "../../../../src/register/rpc/schemas.ts";
import { errorOf, opened } from "../../../contract/talk.ts";

const charge = { registration: "8ac7a49f000000000000000000000001", reference: "C-1", amount: "12.34", currency: "EUR" };
const desk = () => opened("desk-token");

describe("registration.pay", () => {
  it("hands a checked request to the engine and answers with the accepted payment", async () => {
    const open = await desk();
    const given = {
      ...charge,
      order: "o-1",
      cashier: "Jo",
      despite: "C-0",
      expiresInMs: 5_000,
      merchantMemo: "monthly fee",
      standingInstruction: { source: "MIT" },
    };
    const { result } = await open.call("registration.pay", given);
    expect(startResultSchema.parse(result)).toMatchObject({
      created: true,
      payment: { reference: "C-1", type: "SALE", terminal: "" },
    });
    const [{ fingerprint, ...request } = { fingerprint: "" }] = open.payments.charges;
    expect(request).toEqual({
      ...{ registration: charge.registration, reference: "C-1", type: "SALE", amount: 1234, currency: "EUR" },
      ...{ order: "o-1", cashier: "Jo", despite: "C-0", expiresInMs: 5_000 },
      parameters: { merchantMemo: "monthly fee", standingInstruction: { source: "MIT" } },
    });
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it("takes the holder's name for this payment, and how often a reservation may be captured", async () => {
    const open = await desk();
    const given = { ...charge, type: "PREAUTHORIZATION", numberOfCaptures: 3, overrideHolder: "Zoë O'Neill-Díaz" };
    expect((await open.call("registration.pay", given)).error).toBeUndefined();
    expect(open.payments.charges[0]).toMatchObject({
      type: "PREAUTHORIZATION",
      numberOfCaptures: 3,
      holder: "Zoë O'Neill-Díaz",
      parameters: {},
    });
  });

  it("knows a repeat by its content, and another stored card as other content", async () => {
    const open = await desk();
    await open.call("registration.pay", charge);
    expect((await open.call("registration.pay", { ...charge, expiresInMs: 1_000 })).result).toMatchObject({
      created: false,
    });
    const other = await open.call("registration.pay", { ...charge, registration: "8ac7a49f000000000000000000000002" });
    expect(errorOf(other).is).toBe("reference-reused");
  });

  it("needs the scope stored-cards: whoever may take payments at a terminal may not charge cards that are not there", async () => {
    const open = await opened("office-token");
    expect(errorOf(await open.call("registration.pay", charge))).toMatchObject({
      is: "forbidden",
      advice: "fix-config",
    });
    expect(open.payments.charges).toEqual([]);
  });

  it.each([
    ["registration", { registration: "../payments" }],
    ["registration", { registration: "" }],
    ["currency", { currency: "eur" }],
    ["type", { type: "REFUND" }],
    ["terminal", { terminal: "till-1" }],
    ["entityId", { entityId: "8a8294174b7ecb28014b9699220015ca" }],
    ["expiresInMs", { expiresInMs: 1 }],
    ["allowPartialApproval", { allowPartialApproval: true }],
    ["numberOfCaptures", { numberOfCaptures: 2 }],
    ["overrideHolder", { overrideHolder: true }],
    ["overrideHolder", { overrideHolder: "J0hn" }],
    ["overrideHolder", { overrideHolder: "J" }],
  ])("refuses a wrong %s by its name", async (path, changes) => {
    const open = await desk();
    expect(errorOf(await open.call("registration.pay", { ...charge, ...changes }))).toMatchObject({
      is: "invalid-params",
      path,
    });
    expect(open.payments.charges).toEqual([]);
  });

  it("refuses money and text as payment.start does", async () => {
    const open = await desk();
    expect(errorOf(await open.call("registration.pay", { ...charge, amount: "12" }))).toMatchObject({
      is: "invalid-amount",
      path: "amount",
    });
    expect(errorOf(await open.call("registration.pay", { ...charge, amount: "0.00" }))).toMatchObject({
      is: "invalid-amount",
    });
    expect(errorOf(await open.call("registration.pay", { ...charge, cashier: "4111 1111 1111 1111" }))).toMatchObject({
      is: "card-number-in-text",
      path: "cashier",
    });
    // The gateway's own id may look like anything.
    expect(
      (await open.call("registration.pay", { ...charge, registration: "4111111111111111" })).error,
    ).toBeUndefined();
  });
});
