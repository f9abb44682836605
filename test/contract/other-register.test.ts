import { describe, expect, it } from "vitest";
import { z } from "zod";
import { methods } from "../../src/register/rpc/method-registry.ts";
import { type DocumentShop, openDocumentShop } from "./document-shop.ts";
import { errorOf, sale } from "./talk.ts";

const startedSchema = z.object({ payment: z.object({ id: z.string() }) });

/** An engine with a sale of the register `till`, and a socket of the register `other`. */
async function neighbours() {
  const shop = openDocumentShop();
  const till = await session(shop, "till-token");
  const { result } = await till.call("payment.start", sale);
  const { id } = startedSchema.parse(result).payment;
  await shop.counter.clock.advance(5_000);
  return { shop, till, id, other: await session(shop, "other-token") };
}

async function session(shop: DocumentShop, token: string) {
  const socket = shop.socket();
  await socket.call("session.open", { token });
  return socket;
}

/** Each method that names a payment, with an id in its place. */
const CALLS: Readonly<Record<string, (id: string) => object>> = {
  "payment.get": (id) => ({ id }),
  "payment.wait": (id) => ({ id, timeoutMs: 0 }),
  "payment.cancel": (id) => ({ id }),
  "payment.confirmSignature": (id) => ({ id, accepted: true }),
  "payment.receipt": (id) => ({ id, copy: "merchant", format: "text" }),
  "payment.capture": (id) => ({ of: { id }, reference: "mine" }),
  "payment.void": (id) => ({ of: { id }, reference: "mine" }),
  "payment.refund": (id) => ({ of: { id }, reference: "mine" }),
  "payment.increment": (id) => ({ of: { id }, reference: "mine", amount: "1.00" }),
};
/** A technician's, who may read each payment; registers are refused for their scope. */
const TECHNICIANS = ["payment.timeline", "payment.resolve"];

describe("a payment of another register", () => {
  it("has a row here for each method that names one", () => {
    const naming = methods.filter(
      ({ name, params }) =>
        name.startsWith("payment.") && params instanceof z.ZodObject && ("id" in params.shape || "of" in params.shape),
    );
    expect(naming.map(({ name }) => name).toSorted()).toEqual([...Object.keys(CALLS), ...TECHNICIANS].toSorted());
  });

  it.each(Object.entries(CALLS))("is not found by %s, in the words for one that never was", async (method, of) => {
    const { shop, other, id } = await neighbours();
    const before = shop.counter.posted.length;
    const refused = await other.call(method, of(id));
    expect(errorOf(refused)).toMatchObject({ is: "not-found" });
    const none = `pay_${"0".repeat(24)}`;
    const never = await other.call(method, of(none));
    expect(JSON.stringify(refused.error).replaceAll(id, none)).toBe(JSON.stringify(never.error));
    await shop.counter.clock.advance(5_000);
    expect(shop.counter.posted).toHaveLength(before);
  });

  it("is in no list, no total and no event, and its reference is free", async () => {
    const { shop, till, other } = await neighbours();
    expect((await till.call("payment.list")).result).toMatchObject({ payments: [{ reference: "r-1" }] });
    expect((await other.call("payment.list")).result).toEqual({ payments: [] });
    expect((await other.call("totals.get")).result).toEqual({ rows: [] });
    await other.call("events.subscribe", {});
    await till.call("payment.start", { ...sale, reference: "r-2" });
    await shop.counter.clock.advance(5_000);
    expect(till.changes().length).toBeGreaterThan(2);
    expect(other.changes()).toEqual([]);
    expect((await other.call("payment.start", sale)).result).toMatchObject({ created: true });
  });
});
