import { describe, expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/engine/ports.ts";
import { createGateway } from "../../../src/gateway/gateway.ts";
import type { HttpExchange } from "../../../src/gateway/http-exchange.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { entryModeSchema, type Operation } from "../../../src/payment/fact/operation.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { bench } from "./bench.ts";
import { ENTITY, type SaleOptions, TOKEN } from "./simulated-till.ts";

const CHANNEL = { environment: "test", entityId: ENTITY, testMode: "INTERNAL", settlement: "dual" } as const;
const DEVICE = { terminalId: "12345678", deviceType: "MIURA_M020", pinEntry: true } as const;

/** The bridge's own gateway client, talking to the sandbox. */
function both() {
  const on = bench();
  const http: HttpExchange = {
    warm: () => undefined,
    close: async () => undefined,
    exchange: async ({ method, url, headers, body = "" }) => {
      const { pathname, search } = new URL(url);
      const handled = await on.raw(method, pathname + search, body, headers);
      return handled.is === "cut"
        ? { is: "broken", detail: "cut" }
        : { is: "answered", status: handled.status, body: handled.body };
    },
  };
  const log = { debug: () => undefined, warn: () => undefined };
  const gateway = createGateway({
    http,
    baseUrl: "http://127.0.0.1:7718/",
    accessToken: new Secret(TOKEN),
    clock: createVirtualClock(0),
    log,
  });
  let made = 0;
  const operation = (of: Omit<Operation, "merchantTransactionId" | "entityId">): Operation => {
    made += 1;
    return { merchantTransactionId: `operation-${made}`, entityId: ENTITY, ...of };
  };
  const refer = (of: Omit<Operation, "merchantTransactionId" | "entityId">) =>
    gateway.post({ operation: operation(of), channel: CHANNEL, device: DEVICE, parameters: {} }, 1000);
  const present = (of: Omit<Operation, "merchantTransactionId" | "entityId">, options: SaleOptions) => {
    const { fields } = on.till.sale(options);
    const sealed = (name: string) => ({
      data: new Secret(fields.get(`pos.${name}.data`) ?? ""),
      ksn: fields.get(`pos.${name}.ksn`) ?? "",
    });
    const icc = fields.get("pos.iccDataRequest");
    const order: GatewayOrder = {
      ...{ operation: operation(of), channel: CHANNEL, device: DEVICE, parameters: {} },
      card: { entryMode: entryModeSchema.parse(fields.get("pos.entryMode")), ...(icc !== undefined && { icc }) },
      sealed: {
        sred: sealed("encryptedSred"),
        ...(fields.has("pos.encryptedPin.data") && { pin: sealed("encryptedPin") }),
      },
    };
    return gateway.post(order, 1000);
  };
  const search = (id: string) => gateway.search({ channel: CHANNEL, of: { id } }, 1000);
  return { ...on, refer, present, search };
}

const EUR = { currency: "EUR" };
const idOf = (answer: { readonly is: string; readonly id?: string | undefined }): string => answer.id ?? "";

describe("the gateway's client and the sandbox agree", () => {
  test("on a reservation that is raised, captured for the last time, refunded and found again by any id", async () => {
    const { present, refer, search } = both();
    const original = await present({ paymentType: "PA", amount: 1234, ...EUR }, {});
    const raised = await refer({
      paymentType: "PA",
      amount: 500,
      ...EUR,
      referencedId: idOf(original),
      industryPractice: "INCREMENTAL_AUTH",
    });
    expect(raised).toMatchObject({ is: "approved", amount: 500, currency: "EUR" });
    const captured = await refer({
      paymentType: "CP",
      amount: 1700,
      ...EUR,
      referencedId: idOf(original),
      sequence: "FINAL",
    });
    expect(captured).toMatchObject({ is: "approved", amount: 1700 });
    expect(await refer({ paymentType: "RV", referencedId: idOf(raised) })).toMatchObject({ is: "already-reversed" });
    expect(await refer({ paymentType: "CP", amount: 1, ...EUR, referencedId: idOf(original) })).toMatchObject({
      is: "already-reversed",
      resultCode: "700.400.100",
    });
    expect(await refer({ paymentType: "RF", amount: 1700, ...EUR, referencedId: idOf(captured) })).toMatchObject({
      is: "approved",
      amount: 1700,
    });
    const tree = await search(idOf(captured));
    expect(
      tree.is === "found" &&
        tree.bookings
          .filter(({ answer }) => answer.is === "approved")
          .map(({ paymentType }) => paymentType)
          .sort(),
    ).toEqual([...["CP", "PA", "PA", "RF"]]);
    expect(await search(idOf(raised))).toMatchObject({
      is: "found",
      bookings: expect.arrayContaining([expect.objectContaining({ id: idOf(raised), referencedId: idOf(original) })]),
    });
    expect(await search("0".repeat(32))).toEqual({ is: "absent" });
  });

  test("on an increment of nothing", async () => {
    const { refer, sandbox } = both();
    const referencedId = "0".repeat(32);
    expect(
      await refer({ paymentType: "PA", amount: 500, ...EUR, referencedId, industryPractice: "INCREMENTAL_AUTH" }),
    ).toMatchObject({
      ...{
        is: "not-booked",
        why: "refused",
        resultCode: "200.300.404",
        description: expect.stringContaining("referenceUuid matches no transaction"),
      },
    });
    expect(sandbox.ledger()).toEqual([]);
  });

  test("on a card that is stored, found and deleted, once", async () => {
    const { present, refer, search } = both();
    const stored = await present({ paymentType: "RG" }, { paymentType: "RG" });
    expect(stored).toMatchObject({ is: "approved", registrationId: idOf(stored) });
    expect(stored).not.toHaveProperty("amount");
    expect(await search(idOf(stored))).toMatchObject({
      is: "found",
      bookings: [{ paymentType: "RG", answer: { registrationId: idOf(stored) } }],
    });
    expect(await refer({ paymentType: "DR", referencedId: idOf(stored) })).toMatchObject({ is: "approved" });
    expect(await refer({ paymentType: "DR", referencedId: idOf(stored) })).toMatchObject({
      is: "already-reversed",
      resultCode: "100.150.202",
    });
    expect(await refer({ paymentType: "DR", referencedId: "0".repeat(32) })).toMatchObject({
      is: "already-reversed",
      resultCode: "100.150.200",
    });
    const after = await search(idOf(stored));
    expect(
      after.is === "found" &&
        after.bookings.map(({ paymentType, referencedId, answer }) => [paymentType, referencedId, answer.is]),
    ).toEqual([
      ["RG", undefined, "approved"],
      ["DR", idOf(stored), "approved"],
      ["DR", idOf(stored), "already-reversed"],
    ]);
  });

  test("on a card that is stored besides a sale and deleted when the sale fails", async () => {
    const { present, refer } = both();
    const sale = await present({ paymentType: "PA", amount: 1234, ...EUR, createRegistration: true }, {});
    const registrationId = sale.is === "approved" ? (sale.registrationId ?? "") : "";
    expect(registrationId).toMatch(/^[0-9a-f]{32}$/);
    expect(await refer({ paymentType: "RV", referencedId: idOf(sale) })).toMatchObject({ is: "approved" });
    expect(await refer({ paymentType: "DR", referencedId: registrationId })).toMatchObject({ is: "approved" });
  });

  test.each(["9600.01", "9600.10", "9600.65", "9600.70"])(
    "on a soft decline of a tap (%s), and on none of a contact chip",
    async (amount) => {
      const { present } = both();
      const pa = { paymentType: "PA", amount: Math.round(Number(amount) * 100), ...EUR } as const;
      const tap = await present(pa, { amount, entryMode: "NFC_ICC", pin: null });
      const soft = amount === "9600.01" ? { is: "soft-declined" } : { is: "declined", wantsCardholder: true };
      expect(tap).toMatchObject({ ...soft, issuer: { iccDataResponse: expect.stringMatching(/^8A02/) } });
      expect(await present(pa, { amount, pin: null })).toMatchObject({ is: "approved" });
    },
  );

  test("on a refund to which the card answers AAC", async () => {
    const { present } = both();
    expect(
      await present({ paymentType: "CD", amount: 1234, ...EUR }, { card: "refund-aac", paymentType: "CD", pin: null }),
    ).toMatchObject({
      ...{ is: "approved", amount: 1234, currency: "EUR", issuer: { iccDataResponse: "8A023030" } },
    });
  });
});
