import { describe, expect, test } from "vitest";
import { testCards } from "../../../packages/sandbox/gateway/accounts/test-cards.ts";
import { shop, VISA } from "./accounts-bench.ts";
import type { Fields } from "./bench.ts";

const OK = "000.100.110";
const PENDING = "000.200.000";
const CHALLENGED = { "card.number": "4200000000000042" };
const FRICTIONLESS = { "card.number": "4200000000000091" };
const PROOF = {
  "threeDSecure.eci": "05",
  "threeDSecure.verificationId": "AAABBBCCCDDDEEEFFFGGGHHHIII=",
  "threeDSecure.version": "2.1.0",
};
const MASTER = { paymentBrand: "MASTER" };

describe("the holder of a card", () => {
  test.each<[string, Fields, unknown]>([
    ["is authenticated from the data alone", FRICTIONLESS, { eci: "05", authenticationStatus: "Y", version: "2.2.0" }],
    [
      "is authenticated in the other networks' way",
      { ...MASTER, "card.number": "5200000000000007" },
      { eci: "02", authenticationStatus: "Y" },
    ],
    ["was tried to be authenticated", { "card.number": "4200000000000109" }, { eci: "06", authenticationStatus: "A" }],
    [
      "was tried in the other way",
      { ...MASTER, "card.number": "5200000000000023" },
      { eci: "01", authenticationStatus: "A" },
    ],
    ["is not enrolled", { "card.number": "4012001037141112" }, { eci: "06" }],
    ["cannot be asked", { "card.number": "4012001037461114" }, { authenticationStatus: "U" }],
  ])("%s, and the reply tells that", async (_what, fields, threeDSecure) => {
    expect(await shop().told(VISA, fields)).toMatchObject({ result: { code: OK }, threeDSecure });
  });

  test("who was authenticated has a proof of the right form", async () => {
    expect(await shop().told(VISA, FRICTIONLESS)).toMatchObject({
      threeDSecure: {
        verificationId: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
        dsTransactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        acsTransactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
  });

  test("whose card takes no part is not spoken of", async () => {
    expect(await shop().told(VISA)).not.toHaveProperty("threeDSecure");
  });

  test("is challenged at a page of his bank, and nothing of the authentication is told before", async () => {
    const body = await shop().told(VISA, CHALLENGED);
    expect(body).toMatchObject({
      result: { code: PENDING },
      card: { last4Digits: "0042" },
      redirect: { url: expect.stringContaining("/shopper/challenge/") },
    });
    for (const name of ["amount", "resultDetails", "threeDSecure"]) expect(body).not.toHaveProperty(name);
  });

  test("is not spoken of where his card is only stored", async () => {
    const { send, sandbox } = shop();
    expect((await send("/v1/registrations", VISA, CHALLENGED)).code).toBe(OK);
    expect(sandbox.ledger()[0]?.issuer).not.toHaveProperty("threeDSecure");
  });
});

describe("the proof of another server", () => {
  test("is passed on and told as it was sent", async () => {
    const { told, sandbox } = shop();
    const transaction = { "threeDSecure.dsTransactionId": "c7f4d2d5-9f1a-4c7e-8f7a-0d1c2b3a4f5e" };
    expect(await told(VISA, PROOF, transaction)).toMatchObject({
      threeDSecure: {
        eci: "05",
        verificationId: "AAABBBCCCDDDEEEFFFGGGHHHIII=",
        version: "2.1.0",
        dsTransactionId: "c7f4d2d5-9f1a-4c7e-8f7a-0d1c2b3a4f5e",
      },
    });
    expect(sandbox.ledger()[0]?.parameters).toMatchObject(PROOF);
  });

  test("counts, whatever this gateway's own authentication would have said", async () => {
    expect(await shop().told(VISA, FRICTIONLESS, { "threeDSecure.eci": "06" })).toMatchObject({
      result: { code: OK },
      threeDSecure: { eci: "06" },
    });
    expect(await shop().told(VISA, FRICTIONLESS, { "threeDSecure.eci": "06" })).not.toHaveProperty(
      "threeDSecure.verificationId",
    );
  });
});

test("every enrolled test card is pending or approved, as it says", async () => {
  const { pay } = shop();
  for (const { number, enrolment } of testCards.filter((card) => card.enrolment !== undefined)) {
    const { code } = await pay(VISA, {
      paymentBrand: undefined,
      "card.number": number,
      "card.cvv": /^3[47]/.test(number) ? "1234" : "123",
    });
    expect([number, code]).toEqual([number, enrolment === "challenge" ? PENDING : OK]);
  }
});
