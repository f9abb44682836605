import fc from "fast-check";
import { expect, test } from "vitest";
import { issuerAnswerOf } from "../../../src/gateway/issuer-answer.ts";
import { replySchema } from "../../../src/gateway/reply.ts";
import type { IssuerAnswer } from "../../../src/payment/fact/answer.ts";

const told = (more: object): IssuerAnswer =>
  issuerAnswerOf(replySchema.parse({ result: { code: "000.000.000" }, ...more }));
const details = (more: object) => ({ resultDetails: more });
const clearing = (more: object) => ({ pos: { clearing: more } });

test("nothing is told where the gateway tells nothing", () => {
  expect(told({})).toEqual({});
  expect(told({ pos: { clearing: {} }, resultDetails: {} })).toEqual({});
});

test.each<[string, object, IssuerAnswer]>([
  ["the reference number alone", clearing({ identifier: "000000000001" }), { rrn: "000000000001" }],
  ["the merchant's number alone", { pos: { merchantId: "M1" } }, { merchantId: "M1" }],
  ["the issuer's approval code", clearing({ authorizationIssuerCode: "123456" }), { approvalCode: "123456" }],
  ["the approval code of the details", details({ AuthCode: "654321" }), { approvalCode: "654321" }],
  [
    "the approval code that the acquirer gave in the issuer's place",
    clearing({ authorizationAcquirerCode: "A1B2C3" }),
    { approvalCode: "A1B2C3" },
  ],
  ["the response code of the details", details({ AcquirerResponse: "85" }), { responseCode: "85" }],
  ["the acquirer's response code", clearing({ authorizationAcquirerCode: "08" }), { responseCode: "08" }],
  [
    "the acquirer's response code in a later edition's form",
    clearing({ authorizationAcquirerCode: "0000" }),
    { responseCode: "0000" },
  ],
  [
    "the response code for the card",
    { pos: { iccDataResponse: "8a023130" } },
    { iccDataResponse: "8A023130", responseCode: "10" },
  ],
  ["no code that has neither form", clearing({ authorizationAcquirerCode: "12345" }), {}],
  ["no code out of card data that cannot be read", { pos: { iccDataResponse: "8A05" } }, { iccDataResponse: "8A05" }],
  ["no code of the card that is none", { pos: { iccDataResponse: "8A020000" } }, { iccDataResponse: "8A020000" }],
])("%s is told by itself", (_, reply, wanted) => {
  expect(told(reply)).toEqual(wanted);
});

test("of several sources the first one counts, for each part", () => {
  const all = {
    resultDetails: { AuthCode: "222222", AcquirerResponse: "00" },
    pos: {
      iccDataResponse: "8A023130",
      clearing: { authorizationIssuerCode: "111111", authorizationAcquirerCode: "333333" },
    },
  };
  expect(told(all)).toMatchObject({ approvalCode: "111111", responseCode: "00" });
  const withoutIssuer = { ...all, pos: { clearing: { authorizationAcquirerCode: "333333" } } };
  expect(told(withoutIssuer)).toEqual({ approvalCode: "222222", responseCode: "00" });
  expect(told({ pos: { iccDataResponse: "8A023130", clearing: { authorizationAcquirerCode: "11" } } })).toMatchObject({
    responseCode: "11",
  });
});

test("every code that is told stood in the reply", () => {
  const code = fc.stringMatching(/^[A-Za-z0-9]{0,8}$/);
  const reply = fc.record(
    {
      resultDetails: fc.record({ AuthCode: code, AcquirerResponse: code }, { requiredKeys: [] }),
      pos: fc.record(
        {
          clearing: fc.record({ authorizationIssuerCode: code, authorizationAcquirerCode: code }, { requiredKeys: [] }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(reply, (given) => {
      const sent = JSON.stringify(given);
      for (const value of Object.values(told(given))) expect(sent).toContain(`"${value}"`);
    }),
  );
});
