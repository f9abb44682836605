import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  descriptionOf,
  envelopeSchema,
  MAX_REPLY_CHARACTERS,
  parseReply,
  replySchema,
} from "../../../src/gateway/reply.ts";

const read = (body: unknown) => parseReply(JSON.stringify(body), replySchema);

test("a reply with everything is read, and what is new in it is passed over", () => {
  const body = {
    id: "8ac7a4a282d522f70182d53e7a873640",
    paymentType: "PA",
    amount: "12.34",
    currency: "EUR",
    merchantTransactionId: "0123456789abcdef",
    result: { code: "000.000.000", description: "fine", avsResponse: "F" },
    resultDetails: { AcquirerResponse: "00", ConnectorTxID1: "x" },
    pos: {
      iccDataResponse: "8A023030",
      merchantId: "M1",
      statusText: "APPROVED",
      clearing: { authorizationIssuerCode: "123456", identifier: "000000000001" },
    },
    somethingNew: [{ deep: true }],
  };
  expect(read(body)).toMatchObject({
    ok: true,
    value: { id: body.id, amount: "12.34", pos: { clearing: { identifier: "000000000001" } } },
  });
});

test.each([
  ["id", 7],
  ["id", "../v1/other"],
  ["paymentType", "preauthorization"],
  ["amount", 12.34],
  ["amount", "12,34"],
  ["amount", "-1.00"],
  ["currency", "eur"],
  ["merchantTransactionId", ["x"]],
  ["resultDetails", "none"],
  ["pos", null],
  ["pos", "none"],
])("a %s of %j counts as absent", (name, value) => {
  const parsed = read({ result: { code: "000.000.000" }, [name]: value });
  expect(parsed).toEqual({ ok: true, value: { result: { code: "000.000.000" } } });
});

test("issuer data that is not hexadecimal counts as absent and leaves the rest", () => {
  const parsed = read({ result: { code: "000.000.000" }, pos: { iccDataResponse: "8A0", merchantId: "M1" } });
  expect(parsed).toEqual({ ok: true, value: { result: { code: "000.000.000" }, pos: { merchantId: "M1" } } });
});

describe("text that is shown and printed", () => {
  const shown = (text: string) =>
    read({
      result: { code: "000.000.000" },
      resultDetails: { AcquirerResponse: text, clearingInstituteName: text },
      pos: { merchantId: text, statusText: "APPROVED", clearing: { authorizationIssuerCode: text, identifier: text } },
    });

  test.each(["\u001bp0", "M1\n4761340000000050", "<script>", "M1\u0000", "M1\u202e", "M1\u2028", "", " ".repeat(2049)])(
    "%j counts as absent, and leaves the rest",
    (text) => {
      expect(shown(text)).toEqual({
        ok: true,
        value: { result: { code: "000.000.000" }, resultDetails: {}, pos: { clearing: {} } },
      });
    },
  );

  test("is letters and digits in pos, and one line in resultDetails", () => {
    const line = "Bank für Handel & Co. 00";
    expect(shown(line)).toMatchObject({
      value: { resultDetails: { AcquirerResponse: line, clearingInstituteName: line }, pos: { clearing: {} } },
    });
    const text = `M${"1".repeat(2047)}`;
    expect(shown(text)).toMatchObject({
      value: { pos: { merchantId: text, clearing: { authorizationIssuerCode: text, identifier: text } } },
    });
  });
});

test.each([
  ["", "the reply is empty"],
  [" \n", "the reply is empty"],
  ["<html>502</html>", "the reply is not JSON"],
  ['{"result":{"code":"000.000.000"', "the reply is not JSON"],
  ["null", "the reply is not one of a payment gateway: the whole body not as specified"],
  ["[]", "the reply is not one of a payment gateway: the whole body not as specified"],
  ["{}", "the reply is not one of a payment gateway: result not as specified"],
  ['{"result":{"code":0}}', "the reply is not one of a payment gateway: result.code not as specified"],
  ['{"result":{"code":"OK"}}', "the reply is not one of a payment gateway: result.code not as specified"],
  ['{"result":{"code":"000.000.000.000"}}', "the reply is not one of a payment gateway: result.code not as specified"],
])("%s is no reply", (body, problem) => {
  expect(parseReply(body, replySchema)).toEqual({ ok: false, problem });
});

test("a body beyond the limit is not even parsed", () => {
  const body = JSON.stringify({ result: { code: "000.000.000", description: "x".repeat(MAX_REPLY_CHARACTERS) } });
  expect(parseReply(body, replySchema)).toMatchObject({ ok: false });
});

test("parsing never throws, whatever the body", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"result":{"code":"000.000.000"},"payments":[${json}]}`),
      ),
      (body) => {
        expect(typeof parseReply(body, replySchema).ok).toBe("boolean");
        expect(typeof parseReply(body, envelopeSchema).ok).toBe("boolean");
      },
    ),
  );
  expect(parseReply("[".repeat(500_000), replySchema)).toMatchObject({ ok: false });
});

describe("description", () => {
  test("names the parameters that were found wrong, never their values", () => {
    const result = {
      code: "200.300.404",
      description: "invalid",
      parameterErrors: [{ name: "pos.encryptedPin.data", value: "SECRET", message: "must match X" }],
    };
    const parsed = read({ result });
    expect(parsed.ok && descriptionOf(parsed.value)).toBe("invalid: pos.encryptedPin.data must match X");
  });

  test("is one printable line of at most 255 characters", () => {
    expect(
      descriptionOf({ result: { code: "000.000.000", description: `a\u0000\n\u001b[31mb${"c".repeat(300)}` } }),
    ).toMatch(/^a \[31mbc+$/);
    expect(descriptionOf({ result: { code: "000.000.000", description: "c".repeat(300) } })).toHaveLength(255);
    expect(descriptionOf({ result: { code: "000.000.000" } })).toBe("");
    const echoed = {
      code: "200.300.404",
      description: "card 4111 1111 1111 1111",
      parameterErrors: [{ name: "card.number", message: "is 4111111111111111" }],
    };
    expect(descriptionOf({ result: echoed })).toBe("card ***: card.number is ***");
  });
});
