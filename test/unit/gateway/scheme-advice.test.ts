import { describe, expect, test } from "vitest";
import { replySchema } from "../../../src/gateway/reply.ts";
import { answerOfReply } from "../../../src/gateway/verdict.ts";
import type { SchemeAdvice } from "../../../src/payment/fact/answer.ts";

const told = (code: string, details: object) =>
  answerOfReply(replySchema.parse({ id: "1".repeat(32), result: { code }, resultDetails: details }), {
    environment: "test",
    paymentType: "PA",
  });

describe("a decline with an advice code of the scheme", () => {
  test.each<[string, SchemeAdvice]>([
    ["01", { is: "new-card-data" }],
    ["02", { is: "later" }],
    ["03", { is: "never-again" }],
    ["21", { is: "agreement-ended" }],
    ["24", { is: "later", hours: 1 }],
    ["25", { is: "later", hours: 24 }],
    ["26", { is: "later", hours: 48 }],
    ["30", { is: "later", hours: 240 }],
  ])("(%s) carries what it means", (code, schemeAdvice) => {
    expect(told("800.100.152", { MerchantAdviceCode: code })).toMatchObject({
      is: "declined",
      why: "host-declined",
      schemeAdvice,
    });
    expect(told("800.100.192", { MerchantAdviceCode: code })).toMatchObject({
      is: "declined",
      held: true,
      schemeAdvice,
    });
  });

  test.each(["00", "04", "40", "99", "3", "003", "constructor", ""])("carries nothing for %j", (code) => {
    expect(told("800.100.152", { MerchantAdviceCode: code })).not.toHaveProperty("schemeAdvice");
  });

  test("that forbids another try is no soft decline, whatever the issuer's response code says beside it", () => {
    expect(told("800.100.152", { AcquirerResponse: "65", MerchantAdviceCode: "03" })).not.toHaveProperty(
      "wantsCardholder",
    );
    expect(told("800.100.152", { AcquirerResponse: "65", MerchantAdviceCode: "02" })).toMatchObject({
      wantsCardholder: true,
    });
  });
});
