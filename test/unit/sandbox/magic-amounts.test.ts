import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAGIC_AMOUNTS } from "../../../packages/sandbox/gateway/ledger/magic-amounts.ts";
import { resultTexts } from "../../../packages/sandbox/gateway/ledger/result-texts.ts";
import { bench } from "./bench.ts";
import { ENTITY, formOf } from "./simulated-till.ts";

const amountOf = (minor: number): string => (minor / 100).toFixed(2);

describe("magic amounts", () => {
  test("are all different, and far from the demonstration's 12.34", () => {
    const amounts = MAGIC_AMOUNTS.map(({ minor }) => minor);
    expect(new Set(amounts).size).toBe(amounts.length);
    expect(Math.min(...amounts)).toBeGreaterThan(900_000);
  });

  test("are all in the document", () => {
    const document = readFileSync(new URL("../../../docs/sandbox.md", import.meta.url), "utf8");
    for (const { minor, what } of MAGIC_AMOUNTS) expect(document).toContain(`| ${amountOf(minor)} | ${what} |`);
  });

  test("name only codes of the catalogue", () => {
    const codes = MAGIC_AMOUNTS.flatMap(({ outcome }) => [
      outcome.resultCode,
      outcome.answeredCode,
      outcome.interim?.resultCode,
    ]);
    expect(codes.filter((code) => code !== undefined && !resultTexts.has(code))).toEqual([]);
  });

  const codes = MAGIC_AMOUNTS.filter(
    ({ on, outcome }) => (on === "payment" || on === "PA") && outcome.wire === undefined,
  );
  test.each(codes.map((magic) => [amountOf(magic.minor), magic] as const))(
    "%s on a PA is answered as the table says",
    async (amount, { outcome }) => {
      const { sell, sandbox } = bench();
      const { code } = await sell({ amount });
      expect(code).toBe(outcome.answeredCode ?? outcome.interim?.resultCode ?? outcome.resultCode ?? "000.100.110");
      expect(sandbox.ledger()[0]?.resultCode).toBe(outcome.resultCode ?? "000.100.110");
    },
  );

  test.each(MAGIC_AMOUNTS.filter(({ on }) => on === "payment").map(({ minor }) => [amountOf(minor)]))(
    "%s meets a DB as it meets a PA",
    async (amount) => {
      const { raw, till, clock, sandbox } = bench();
      const replies: string[] = [];
      for (const paymentType of ["PA", "DB"] as const) {
        const handling = raw("POST", "/v1/payments", formOf(till.sale({ amount, paymentType }).fields));
        await clock.advance(90_000);
        const handled = await handling;
        replies.push(
          handled.is === "cut" ? "cut" : `${handled.status} ${/"code":"([0-9.]+)"/.exec(handled.body)?.[1]}`,
        );
      }
      expect(replies[1]).toBe(replies[0]);
      const rows = sandbox.ledger().filter(({ paymentType }) => paymentType !== "RV");
      expect(rows.map(({ resultCode }) => resultCode)).toEqual(rows.map(() => rows[0]?.resultCode));
    },
  );

  test("the partial ones approve half", async () => {
    const { sell } = bench();
    expect((await sell({ amount: "9200.10" })).body).toMatchObject({
      amount: "4600.05",
      resultDetails: { AcquirerResponse: "10" },
    });
    expect((await sell({ amount: "9200.40" })).body).toMatchObject({
      amount: "4600.20",
      result: { code: "000.400.040" },
    });
  });

  test("9300.08 says that PA is not set up, and lets a DB through", async () => {
    const { sell } = bench();
    expect((await sell({ amount: "9300.08" })).code).toBe("600.200.202");
    expect((await sell({ amount: "9300.08", paymentType: "DB" })).code).toBe("000.100.110");
  });

  test.each([
    ["9400.01", [true], 0],
    ["9400.02", [true], 1],
    ["9400.04", [true], 1],
    ["9400.05", [false], 0],
    ["9400.06", [false], 1],
    ["9400.07", [false], 1],
    ["9400.08", [false], 0],
    ["9400.09", [true], 1],
  ])("%s: cut %j, %i rows", async (amount, [cut], rows) => {
    const { raw, till, sandbox } = bench();
    const handled = await raw("POST", "/v1/payments", formOf(till.sale({ amount }).fields));
    expect(handled.is === "cut").toBe(cut);
    expect(sandbox.ledger()).toHaveLength(rows);
  });

  test("9500.01: a reversal that the gateway is not sure of was done", async () => {
    const { sell, refer } = bench();
    const { body } = await sell({ amount: "9500.01" });
    expect((await refer(body.id, "RV")).code).toBe("900.100.300");
    expect((await refer(body.id, "RV")).code).toBe("700.300.300");
  });

  test.each([
    ["9500.02", "RV", "700.300.700"],
    ["9500.11", "CP", "900.100.300"],
    ["9500.12", "CP", "700.300.400"],
    ["9500.04", "RV", "000.200.000"],
    ["9500.05", "RV", "000.200.000"],
    ["9500.14", "CP", "800.400.501"],
    ["9500.15", "CP", "800.400.501"],
    ["9500.21", "RF", "900.100.300"],
    ["9500.22", "RF", "800.100.152"],
    ["9500.24", "RF", "800.400.501"],
    ["9500.25", "RF", "800.400.501"],
  ] as const)("%s: the sale is approved and its %s is answered %s", async (amount, paymentType, code) => {
    const { sell, refer } = bench();
    const sale = await sell({ amount, paymentType: paymentType === "RF" ? "DB" : "PA" });
    expect(sale.code).toBe("000.100.110");
    expect((await refer(sale.body.id, paymentType, paymentType === "RV" ? undefined : amount)).code).toBe(code);
  });

  test.each([
    ["9500.03", "RV"],
    ["9500.13", "CP"],
    ["9500.23", "RF"],
  ] as const)("%s: the reply of its %s is lost, and it is done", async (amount, paymentType) => {
    const { sell, refer, sandbox } = bench();
    const sale = await sell({ amount, paymentType: paymentType === "RF" ? "DB" : "PA" });
    await expect(refer(sale.body.id, paymentType, amount)).rejects.toThrow("cut");
    expect(sandbox.ledger()[1]).toMatchObject({ paymentType, resultCode: "000.100.110" });
  });
});

describe("what is pending turns out", () => {
  test.each([
    ["9500.04", "RV", "000.100.110"],
    ["9500.05", "RV", "700.300.700"],
    ["9500.14", "CP", "000.100.110"],
    ["9500.15", "CP", "800.100.152"],
    ["9500.24", "RF", "000.100.110"],
    ["9500.25", "RF", "800.100.152"],
  ] as const)("%s: %s, %s after 30 s", async (amount, paymentType, code) => {
    const { sell, refer, get, clock } = bench();
    const sale = await sell({ amount, paymentType: paymentType === "RF" ? "DB" : "PA" });
    const { body } = await refer(sale.body.id, paymentType, paymentType === "RV" ? undefined : amount);
    const read = async () => (await get(`/v1/query/${body.id}?entityId=${ENTITY}`)).code;
    await clock.advance(29_999);
    expect(await read()).not.toBe(code);
    await clock.advance(1);
    expect(await read()).toBe(code);
  });

  test.each([
    ["9300.06", "000.100.110"],
    ["9300.07", "800.100.152"],
  ])("%s: a CD, %s after 30 s", async (amount, code) => {
    const { sell, get, clock } = bench();
    const { body } = await sell({ amount, paymentType: "CD" });
    await clock.advance(30_000);
    expect((await get(`/v1/query/${body.id}?entityId=${ENTITY}`)).code).toBe(code);
  });
});

test("9300.09 is answered as a duplicate, and is booked", async () => {
  const { sell, query } = bench();
  expect((await sell({ amount: "9300.09", merchantTransactionId: "taken-for-two" })).code).toBe("800.110.100");
  expect((await query("taken-for-two")).body.payments).toMatchObject([
    { amount: "9300.09", result: { code: "000.100.110" } },
  ]);
});

test("9500.06: the reservation is reversed, its capture is not", async () => {
  const { sell, refer } = bench();
  expect((await refer((await sell({ amount: "9500.06" })).body.id, "RV")).code).toBe("000.100.110");
  const { body } = await sell({ amount: "9500.06" });
  const capture = await refer(body.id, "CP", "9500.06");
  expect((await refer(capture.body.id, "RV")).code).toBe("700.300.700");
  expect((await refer(capture.body.id, "RF", "9500.06")).code).toBe("000.100.110");
});

describe("a soft decline", () => {
  const amounts = [
    ["9600.01", "300.100.100", "65"],
    ["9600.10", "800.100.152", "1A"],
    ["9600.65", "800.100.152", "65"],
    ["9600.70", "800.100.152", "70"],
  ] as const;

  test.each(amounts)(
    "%s: %s and AcquirerResponse %s to a tap; the same data with a PIN is approved",
    async (amount, code, arc) => {
      const { till, post } = bench();
      const tap = till.sale({ amount, entryMode: "NFC_ICC", pin: null }).fields;
      const { code: said, body } = await post("/v1/payments", tap);
      expect([said, body.resultDetails?.["AcquirerResponse"]]).toEqual([code, arc]);
      expect(body.pos?.iccDataResponse).toContain(`8A02${Buffer.from(arc).toString("hex").toUpperCase()}`);
      const pin = [...till.sale().fields].filter(([name]) => name.startsWith("pos.encryptedPin"));
      expect((await post("/v1/payments", new Map([...tap, ...pin]))).code).toBe("000.100.110");
      expect((await post("/v1/payments", new Map([...tap, ...pin]))).code).toBe("800.100.158");
    },
  );

  test("of a contactless stripe lets the same data come once more, with a PIN and not without", async () => {
    const { till, post } = bench();
    const tap = till.sale({ amount: "9600.65", entryMode: "NFC_MAGSTRIPE", pin: null }).fields;
    const pin = [...till.sale().fields].filter(([name]) => name.startsWith("pos.encryptedPin"));
    expect((await post("/v1/payments", tap)).body.resultDetails?.["AcquirerResponse"]).toBe("65");
    expect((await post("/v1/payments", tap)).code).toBe("800.100.158");
    expect((await post("/v1/payments", new Map([...tap, ...pin]))).code).toBe("000.100.110");
  });

  test.each(amounts)("%s does not meet a contact chip, nor a tap with a PIN, nor a refund", async (amount) => {
    const { sell } = bench();
    expect((await sell({ amount, pin: null })).code).toBe("000.100.110");
    expect((await sell({ amount, entryMode: "NFC_ICC" })).code).toBe("000.100.110");
    expect((await sell({ amount, entryMode: "NFC_ICC", pin: null, paymentType: "CD" })).code).toBe("000.100.110");
    expect((await sell({ amount, entryMode: "NFC_ICC", pin: null, paymentType: "DB" })).code).not.toBe("000.100.110");
  });
});
