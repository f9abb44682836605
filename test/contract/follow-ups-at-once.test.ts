import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { PaymentsDesk } from "../../src/engine/service/payment-service.ts";
import { startResultSchema } from "../../src/register/rpc/schemas.ts";
import { type DocumentShop, openDocumentShop } from "./document-shop.ts";
import { errorOf, type Frame, sale, type Talk } from "./talk.ts";

/** The real engine behind several sockets. */
async function open(shop: DocumentShop, token = "till-token"): Promise<Talk<PaymentsDesk>> {
  const socket = shop.socket();
  await socket.call("session.open", { token });
  return socket;
}

async function sold(shop: DocumentShop, type = "SALE"): Promise<Talk<PaymentsDesk>> {
  const till = await open(shop);
  await till.call("payment.start", { ...sale, type });
  await shop.counter.clock.advance(5_000);
  return till;
}

const posts = ({ counter }: DocumentShop, type: string): number =>
  counter.posted.filter(({ operation }) => operation.paymentType === type).length;
const started = (frame: Frame) => startResultSchema.parse(frame.result);

describe("two sockets at once", () => {
  it.each([
    ["payment.refund", "SALE", "RF", { amount: "5.00" }],
    ["payment.void", "SALE", "RV", {}],
    ["payment.capture", "PREAUTHORIZATION", "CP", {}],
    ["payment.increment", "PREAUTHORIZATION", "PA", { amount: "5.00" }],
  ])(
    "with one reference of %s make one payment, which both hear of after their replies",
    async (method, type, paymentType, amount) => {
      const shop = openDocumentShop();
      await sold(shop, type);
      const before = posts(shop, paymentType);
      const both = [await open(shop), await open(shop)];
      const replies = (
        await Promise.all(both.map((socket) => socket.call(method, { of: "r-1", reference: "f-1", ...amount })))
      ).map(started);
      await shop.counter.clock.advance(5_000);
      expect(replies.map(({ created }) => created).sort()).toEqual([false, true]);
      expect(new Set(replies.map(({ payment }) => payment.id)).size).toBe(1);
      expect(posts(shop, paymentType) - before).toBe(1);
      for (const socket of both) {
        const reply = socket.frames.findIndex(({ result }) => startResultSchema.safeParse(result).success);
        const first = socket.frames.findIndex((frame) => frame.method === "payment.changed");
        expect(first).toBeGreaterThan(reply);
        expect(new Set(socket.changes().map(({ payment }) => payment.reference))).toEqual(new Set(["f-1"]));
        expect(socket.changes().at(-1)?.payment).toMatchObject({ state: "FINAL", outcome: "APPROVED" });
      }
    },
  );

  it("with one reference and other content make one payment; the other is refused", async () => {
    const shop = openDocumentShop();
    await sold(shop);
    const both = [await open(shop), await open(shop)];
    const replies = await Promise.all(
      both.map((socket, at) => socket.call("payment.refund", { of: "r-1", reference: "f-1", amount: `${at + 1}.00` })),
    );
    expect(replies.map((reply) => errorOf(reply).is).sort()).toEqual(["reference-reused", undefined]);
    await shop.counter.clock.advance(5_000);
    expect(posts(shop, "RF")).toBe(1);
  });

  it("with two references never give back more than was taken: the second waits for the first", async () => {
    const shop = openDocumentShop();
    await sold(shop);
    const both = [await open(shop), await open(shop)];
    const refunds = (amount: string, sockets = both) =>
      Promise.all(
        sockets.map((socket, at) => socket.call("payment.refund", { of: "r-1", reference: `f-${at}`, amount })),
      );
    expect((await refunds("10.00")).map((reply) => errorOf(reply).is).sort()).toEqual(["undecided-payment", undefined]);
    await shop.counter.clock.advance(5_000);
    const again = (await refunds("10.00")).map((reply) => reply.error?.data.code ?? started(reply).created);
    expect(again.map(String).sort()).toEqual(["false", "invalid-amount"]);
    expect(posts(shop, "RF")).toBe(1);
  });

  it("of which one starts and one follows up with the same reference make one payment", async () => {
    const shop = openDocumentShop();
    await sold(shop);
    const [one, two] = [await open(shop), await open(shop)];
    const replies = await Promise.all([
      one.call("payment.start", { ...sale, reference: "f-1" }),
      two.call("payment.refund", { of: "r-1", reference: "f-1" }),
    ]);
    expect(replies.map((reply) => errorOf(reply).is).sort()).toEqual(["reference-reused", undefined]);
  });
});

describe("notifications of the real engine", () => {
  it("tell the socket that sold of the void's effect, and the one that voided of the void alone", async () => {
    const shop = openDocumentShop();
    const till = await sold(shop);
    const desk = await open(shop, "office-token");
    const { id } = z.object({ id: z.string() }).parse(till.changes().at(-1)?.payment);
    const heard = till.changes().length;
    await desk.call("payment.void", { of: id, reference: "v-1" });
    await shop.counter.clock.advance(5_000);
    expect(new Set(desk.changes().map(({ payment }) => payment.reference))).toEqual(new Set(["v-1"]));
    const since = till.changes().slice(heard);
    expect(new Set(since.map(({ payment }) => payment.reference))).toEqual(new Set(["r-1"]));
    expect(since.at(-1)?.payment.voidedBy).toMatch(/^pay_/);
  });

  it("come in the order of their cursors where a subscribed socket voids what another register sold", async () => {
    const shop = openDocumentShop();
    await sold(shop);
    const office = await open(shop, "office-token");
    await office.call("events.subscribe", { after: "0" });
    const replay = office.frames.length;
    const { payment } = z.object({ payment: z.object({ id: z.string() }) }).parse(office.changes()[0]);
    await office.call("payment.void", { of: { id: payment.id }, reference: "v-1" });
    await shop.counter.clock.advance(5_000);
    expect(office.frames.slice(replay).findIndex(({ result }) => result !== undefined)).toBe(0);
    const cursors = office.changes().map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b));
  });

  it("say that a signature is waited for, and the reply to the cashier's word comes before what follows from it", async () => {
    const shop = openDocumentShop();
    const till = await open(shop);
    await till.call("payment.start", { ...sale, amount: "45.00" });
    await shop.counter.clock.advance(5_000);
    expect(till.changes().at(-1)?.payment.prompt?.code).toBe("SIGN");
    const before = till.frames.length;
    const { result } = await till.call("payment.confirmSignature", { reference: "r-1", accepted: false });
    expect(till.frames.slice(before).findIndex((frame) => frame.result === result)).toBe(0);
    await shop.counter.clock.advance(5_000);
    expect(till.changes().at(-1)?.payment).toMatchObject({
      state: "FINAL",
      outcome: "CANCELLED",
      reason: { code: "signature-refused" },
    });
    expect(errorOf(await till.call("payment.confirmSignature", { reference: "r-1", accepted: true }))).toMatchObject({
      is: "not-allowed",
    });
  });
});
