import { describe, expect, test } from "vitest";
import { findTag } from "../../../src/emv/tlv.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { bench } from "./bench.ts";

describe("money given to a presented card (CD)", () => {
  test("is verified by the AAC that ends the card's part, and is answered without a 91 that no card would hear", async () => {
    const { till, post, sandbox } = bench();
    const sale = till.sale({ card: "refund-aac", paymentType: "CD", pin: null });
    expect(toHex(findTag(sale.icc, "9F27") ?? new Uint8Array(0))).toBe("00");
    const { code, body } = await post("/v1/payments", sale.fields);
    expect(code).toBe("000.100.110");
    expect(body).toMatchObject({ paymentType: "CD", amount: "12.34", currency: "EUR" });
    expect(body.pos?.iccDataResponse).toBe("8A023030");
    expect(sandbox.ledger()).toMatchObject([
      { paymentType: "CD", amount: 1234, parameters: { "pos.encryptedSred.data": "valid" } },
    ]);
  });

  test("is refused where that AAC does not verify, or was seen before", async () => {
    const { till, post } = bench();
    const { fields } = till.sale({ card: "refund-aac", paymentType: "CD", pin: null });
    const bent = (fields.get("pos.iccDataRequest") ?? "").replace(
      /9F2608../,
      (tag) => `9F2608${tag.endsWith("FF") ? "00" : "FF"}`,
    );
    expect((await post("/v1/payments", new Map(fields).set("pos.iccDataRequest", bent))).code).toBe("800.100.158");
    const again = till.sale({ card: "refund-aac", paymentType: "CD", pin: null }).fields;
    expect((await post("/v1/payments", again)).code).toBe("000.100.110");
    expect((await post("/v1/payments", again)).code).toBe("800.100.158");
  });

  test("a sale never goes on an AAC", async () => {
    const { till, post } = bench();
    const { code, body } = await post("/v1/payments", till.sale({ card: "offline-declines", pin: null }).fields);
    expect(code).toBe("800.100.158");
    expect(body.resultDetails?.["ExtendedDescription"]).toContain("9F27");
  });

  test("says less than was asked for where a fault says so", async () => {
    const { sell, refer, fault } = bench();
    await fault({ on: { paymentType: "CD" }, do: { result: "000.400.040" } });
    expect((await sell({ paymentType: "CD" })).body.amount).toBe("6.17");
    const { body } = await sell();
    await fault({ on: { paymentType: "CP" }, do: { result: "000.400.040" } });
    expect((await refer(body.id, "CP", "12.34")).body).toMatchObject({
      amount: "6.17",
      result: { code: "000.400.040" },
    });
    expect((await refer(body.id, "CP", "6.18")).code).toBe("700.400.100");
    expect((await refer(body.id, "CP", "6.17")).code).toBe("000.100.110");
  });
});
