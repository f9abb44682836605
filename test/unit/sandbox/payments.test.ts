import { describe, expect, test } from "vitest";
import { complete } from "../../../packages/sandbox/testbed/contact-kernel.ts";
import { sredDeviceTypes } from "../../../packages/sandbox/testbed/sred-layouts.ts";
import { findTag, parseTlv } from "../../../src/emv/tlv.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { type Body, bench } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

describe("a sale with a chip card and a PIN", () => {
  test.each(["visa-contact", "visa-contact-cvn18", "mastercard-contact"])(
    "of %s is approved, and the card accepts what the issuer answers",
    async (card) => {
      const { till, post } = bench();
      const sale = till.sale({ card });
      const { status, code, body } = await post("/v1/payments", sale.fields);
      expect({ status, code }).toEqual({ status: 200, code: "000.100.110" });
      const icc = parseTlv(fromHex(body.pos?.iccDataResponse ?? ""));
      const objects = icc.ok ? icc.objects : [];
      const authentication = findTag(objects, "91");
      expect(authentication).toBeDefined();
      const responseCode = findTag(objects, "8A") ?? new Uint8Array(0);
      expect(
        complete(sale.transaction, { responseCode, scripts: [], ...(authentication && { authentication }) }).verdict,
      ).toBe("approved");
    },
  );

  test("tells what the specification says a reply tells", async () => {
    const { till, post } = bench();
    const sale = till.sale();
    const { body } = await post("/v1/payments", [
      ...sale.fields,
      ["descriptor", "Corner Shop"],
      ["customParameters[SHOPPER_till]", "3"],
    ]);
    expect(body.id).toMatch(/^[0-9a-f]{32}$/);
    expect(body).toMatchObject({
      paymentType: "PA",
      paymentBrand: "VISA",
      amount: "12.34",
      currency: "EUR",
      descriptor: "Corner Shop",
    });
    expect(body.customParameters).toEqual({ SHOPPER_till: "3" });
    expect(body.card).toEqual({ bin: "476134", last4Digits: "0050", expiryMonth: "12", expiryYear: "2031" });
    expect(body.ndc).toMatch(new RegExp(`^${ENTITY}_[0-9a-f]{32}$`));
    expect(body.timestamp).toBe("2026-11-21 10:00:00.000+0000");
    expect(body.buildNumber).toMatch(/^[0-9a-f]{40}@/);
    expect(body.pos?.timestamp).toBe("2026-11-21 10:00:00");
    for (const text of [body.pos?.statusText, ...Object.values(body.pos?.clearing ?? {})])
      expect(text).toMatch(/^[A-Za-z0-9]{1,2048}$/);
    expect(body.resultDetails).toMatchObject({ AcquirerResponse: "00" });
  });

  test("carries an unknown field now and then, but not always", async () => {
    const { sell } = bench();
    const bodies: Body[] = [];
    for (let at = 0; at < 60; at += 1) bodies.push((await sell()).body);
    const unknown = bodies.filter((body) => "routing" in body).length;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThan(60);
  });

  test("is 000.100.112 where testMode asks for the processor's test system", async () => {
    const { till, post } = bench();
    expect((await post("/v1/payments", [...till.sale().fields, ["testMode", "EXTERNAL"]])).code).toBe("000.100.112");
  });

  test("stores the card where a registration is asked for", async () => {
    const { till, post } = bench();
    const { body } = await post("/v1/payments", [...till.sale().fields, ["createRegistration", "true"]]);
    expect(body.registrationId).toMatch(/^[0-9a-f]{32}$/);
  });

  test("takes currencies without decimals, with the amount written either way", async () => {
    const { till, post } = bench();
    const sale = till.sale({ amount: "1200", currency: "JPY" });
    const written = new Map(sale.fields).set("amount", "1200.00");
    expect((await post("/v1/payments", written)).body).toMatchObject({ amount: "1200", currency: "JPY" });
  });

  test("refuses money that is none: a currency it does not know, half a yen, zero", async () => {
    const { till, post, sandbox } = bench();
    const { fields } = till.sale();
    const codes: string[] = [];
    for (const [amount, currency] of [
      ["1.00", "KWD"],
      ["12.50", "JPY"],
      ["0.00", "EUR"],
    ] as const) {
      codes.push((await post("/v1/payments", new Map([...fields, ["amount", amount], ["currency", currency]]))).code);
    }
    expect(codes).toEqual(["100.550.401", "100.550.303", "100.550.300"]);
    expect(sandbox.ledger()).toEqual([]);
  });
});

describe("a decline by the issuer", () => {
  test("says which check failed, has no amount, and answers the card with a declining ARPC", async () => {
    const { till, post } = bench();
    const sale = till.sale({ pin: "9999" });
    const { status, code, body } = await post("/v1/payments", sale.fields);
    expect({ status, code }).toEqual({ status: 400, code: "800.100.166" });
    expect(body.amount).toBeUndefined();
    expect(body.resultDetails).toMatchObject({ AcquirerResponse: "55", ExtendedDescription: "PIN is wrong" });
    const icc = parseTlv(fromHex(body.pos?.iccDataResponse ?? ""));
    expect(icc.ok && findTag(icc.objects, "8A")).toEqual(fromHex("3535"));
    expect(icc.ok && findTag(icc.objects, "91")?.length).toBe(10);
  });

  test("has no 91 where the cryptogram did not verify", async () => {
    const { till, post } = bench();
    const { fields } = till.sale();
    const other = till.sale();
    const { code, body } = await post(
      "/v1/payments",
      new Map(fields).set(
        "pos.iccDataRequest",
        (other.fields.get("pos.iccDataRequest") ?? "").replace(/9F2608../, "9F2608FF"),
      ),
    );
    expect(code).toBe("800.100.158");
    expect(body.pos?.iccDataResponse).toBe("8A023035");
  });

  test("is HTTP 200 on a channel of another tenant: only the body decides", async () => {
    const { sell } = bench({ rules: { declineStatus: 200 } });
    expect(await sell({ pin: "9999" })).toMatchObject({ status: 200, code: "800.100.166" });
  });
});

describe("the ledger", () => {
  test("keeps what was received, and of what was sealed only how its verification went", async () => {
    const { sell, sandbox, raw } = bench();
    await sell({ merchantTransactionId: "first-sale" });
    const [row] = sandbox.ledger();
    expect(row?.parameters).toMatchObject({
      amount: "12.34",
      "pos.entryMode": "ICC",
      "pos.encryptedSred.data": "valid",
      "pos.encryptedPin.data": "valid",
    });
    const reply = await raw("GET", "/sandbox/v1/ledger?merchantTransactionId=first-sale");
    expect(reply.is === "reply" && JSON.parse(reply.body)).toMatchObject({
      bookings: [
        {
          id: row?.id,
          paymentType: "PA",
          amount: "12.34",
          currency: "EUR",
          resultCode: "000.100.110",
          receivedAt: "2026-11-21T10:00:00.000Z",
        },
      ],
    });
  });

  test("never holds a card number or a PIN block", async () => {
    const { till, post, sandbox } = bench();
    const sale = till.sale();
    await post("/v1/payments", sale.fields);
    await post("/v1/payments", till.sale({ pin: "9999" }).fields);
    const text = JSON.stringify(sandbox.ledger());
    for (const secret of [
      "4761340000000050",
      sale.fields.get("pos.encryptedSred.data"),
      sale.fields.get("pos.encryptedPin.data"),
    ])
      expect(text).not.toContain(secret);
    expect(sandbox.ledger()[1]?.parameters["pos.encryptedPin.data"]).toBe("invalid: PIN is wrong");
  });

  test("has a row for a decline, and none for a request that was refused as such", async () => {
    const { till, post, sandbox } = bench();
    await post("/v1/payments", till.sale({ pin: "9999" }).fields);
    await post("/v1/payments", new Map(till.sale().fields).set("pos.entryMode", "TELEPATHY"));
    expect(sandbox.ledger().map((row) => row.resultCode)).toEqual(["800.100.166"]);
  });
});

describe("a merchantTransactionId that comes twice", () => {
  test("is two sales on the usual channel: nothing there is idempotent", async () => {
    const { sell, sandbox } = bench();
    await sell({ merchantTransactionId: "the-same-id" });
    expect((await sell({ merchantTransactionId: "the-same-id" })).code).toBe("000.100.110");
    expect(sandbox.ledger()).toHaveLength(2);
  });

  test("is refused on a channel that looks for duplicates", async () => {
    const { sell, sandbox } = bench({ rules: { duplicates: "reject" } });
    await sell({ merchantTransactionId: "the-same-id" });
    expect((await sell({ merchantTransactionId: "the-same-id" })).code).toBe("800.130.100");
    expect(sandbox.ledger()).toHaveLength(1);
  });
});

describe("a terminal that seals chip data and PIN together with the number", () => {
  test("is asked for neither, and its card accepts what the issuer answers", async () => {
    const { till, post } = bench();
    const sale = till.sale({ sealsAll: true });
    expect([...sale.fields.keys()].filter((name) => /icc|Pin|panSequence/.test(name))).toEqual([]);
    const { code, body } = await post("/v1/payments", sale.fields);
    expect(code).toBe("000.100.110");
    const icc = parseTlv(fromHex(body.pos?.iccDataResponse ?? ""));
    const objects = icc.ok ? icc.objects : [];
    const [responseCode = new Uint8Array(0), authentication = new Uint8Array(0)] = [
      findTag(objects, "8A"),
      findTag(objects, "91"),
    ];
    expect(complete(sale.transaction, { responseCode, scripts: [], authentication }).verdict).toBe("approved");
  });

  test("is refused for a wrong PIN like any other, and its refund waits for no issuer authentication", async () => {
    const { till, post } = bench();
    expect((await post("/v1/payments", till.sale({ sealsAll: true, pin: "9999" }).fields)).code).toBe("800.100.166");
    const refund = await post("/v1/payments", till.sale({ sealsAll: true, paymentType: "CD", pin: null }).fields);
    expect([refund.code, refund.body.pos?.iccDataResponse]).toEqual(["000.100.110", "8A023030"]);
  });

  test("is refused a card to be stored or paid with when what it sealed was changed", async () => {
    const { till, post } = bench();
    const { fields } = till.sale({ sealsAll: true });
    const data = fields.get("pos.encryptedSred.data") ?? "";
    for (const at of [0, 40, 80]) {
      const bent = `${data.slice(0, at)}${data[at] === "0" ? "1" : "0"}${data.slice(at + 1)}`;
      expect((await post("/v1/payments", new Map(fields).set("pos.encryptedSred.data", bent))).code).toMatch(
        /^800\.100\.15[168]$/,
      );
    }
  });
});

test("the device types whose card data can be opened are told", async () => {
  const { raw } = bench();
  const told = await raw("GET", "/sandbox/v1/device-types");
  expect(told.is === "reply" && JSON.parse(told.body)).toEqual({ deviceTypes: sredDeviceTypes });
});
