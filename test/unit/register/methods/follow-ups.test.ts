import { describe, expect, it } from "vitest";
import { startResultSchema } from "../../../../src/register/rpc/schemas.ts";
import { fakePayments } from "../../../contract/fake-payments.ts";
import { errorOf, opened, sale, type Talk } from "../../../contract/talk.ts";

const METHODS = [
  ["payment.capture", "CAPTURE", {}],
  ["payment.void", "VOID", {}],
  ["payment.refund", "LINKED_REFUND", {}],
  ["payment.increment", "INCREMENT", { amount: "5.00" }],
] as const;

const follow = { of: "r-1", reference: "f-1" };

async function sold(token = "till-token"): Promise<Talk> {
  const open = await opened(token);
  await open.call("payment.start", sale);
  return open;
}

describe.each(METHODS)("%s", (method, type, needed) => {
  it("hands a checked request to the engine and answers with the new payment", async () => {
    const open = await sold();
    const { result } = await open.call(method, { ...follow, ...needed, cashier: "Jo" });
    expect(startResultSchema.parse(result)).toMatchObject({
      created: true,
      warnings: [],
      payment: { reference: "f-1", type, of: "pay_1", state: "CREATED" },
    });
    const [request] = open.payments.followUps;
    expect(request).toMatchObject({ type, of: { name: "r-1" }, reference: "f-1", cashier: "Jo", ...needed });
    expect(request?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ["text", "r-1", { name: "r-1" }],
    ["a reference", { reference: "r-1" }, { reference: "r-1" }],
    ["an id", { id: "pay_1" }, { id: "pay_1" }],
    [
      "a gateway's id",
      { gatewayId: "8ac7a4a18f2b6cd1018f2b8a3c5e0f41" },
      { gatewayId: "8ac7a4a18f2b6cd1018f2b8a3c5e0f41" },
    ],
  ])("names what it is about by %s", async (_what, of, key) => {
    const open = await sold();
    await open.call(method, { ...follow, ...needed, of });
    expect(open.payments.followUps[0]?.of).toEqual(key);
  });

  it.each([
    ["no original", { of: undefined }, "of"],
    ["a number for the original", { of: 1 }, "of"],
    ["nothing for the original", { of: "" }, "of"],
    ["a list of originals", { of: ["r-1"] }, "of"],
    ["an original without a name", { of: {} }, "of"],
    ["an original with two names", { of: { reference: "r-1", id: "pay_1" } }, "of"],
    ["an original with an unknown name", { of: { rrn: "123" } }, "of"],
    ["a gateway's id that is made up", { of: { gatewayId: "EUR" } }, "of.gatewayId"],
    ["a gateway's id that is too long", { of: { gatewayId: "8ac7a4a18f2b6cd1018f2b8a3c5e0f410" } }, "of.gatewayId"],
    ["the id of a checkout", { of: { gatewayId: "8ac7a4a18f2b6cd1018f2b8a3c5e0f41.uat01-vm-tx03" } }, "of.gatewayId"],
    ["no reference of its own", { reference: undefined }, "reference"],
    ["a reference of 65 characters", { reference: "x".repeat(65) }, "reference"],
    ["an amount that is a number", { amount: 5 }, "amount"],
    ["an amount without end", { amount: "9".repeat(33) }, "amount"],
    ["a cashier that is none", { cashier: 7 }, "cashier"],
    ["a terminal", { terminal: "till-1" }, "terminal"],
    ["a currency", { currency: "EUR" }, "currency"],
    ["a type", { type }, "type"],
    ["card data", { card: { number: "4111111111111111" } }, "card"],
    ["a merchantTransactionId", { merchantTransactionId: "12345678" }, "merchantTransactionId"],
  ])("answers %s with invalid params and the path", async (_what, change, path) => {
    const open = await sold();
    const answer = await open.call(method, { ...follow, ...needed, ...change });
    expect(errorOf(answer)).toEqual({ code: -32602, is: "invalid-params", advice: "fix-request", path });
    expect(JSON.stringify(answer)).not.toContain("4111");
    expect(open.payments.followUps).toEqual([]);
  });

  it.each([
    ["reference", { reference: "4111 1111 1111 1111" }],
    ["cashier", { cashier: "4111111111111111" }],
  ])("refuses what looks like a card number in %s", async (path, change) => {
    const open = await sold();
    const answer = await open.call(method, { ...follow, ...needed, ...change });
    expect(errorOf(answer)).toMatchObject({ is: "card-number-in-text", path });
    expect(JSON.stringify(answer)).not.toContain("4111");
  });

  it("takes a gateway's id whatever digits are in it", async () => {
    const open = await sold();
    const answer = await open.call(method, {
      ...follow,
      ...needed,
      of: { gatewayId: "8a4111111111111111ff018f2b8a3c5e" },
    });
    expect(errorOf(answer)).toMatchObject({ is: "not-found", path: "of" });
    expect(open.payments.followUps).toHaveLength(1);
  });

  it("gives the same payment for the same reference and content, from any socket, and refuses other content", async () => {
    const payments = fakePayments();
    const open = await opened("till-token", payments);
    await open.call("payment.start", sale);
    await open.call(method, { ...follow, ...needed });
    const twin = await opened("till-token", payments);
    const turned = Object.fromEntries(Object.entries({ ...follow, ...needed }).reverse());
    expect((await twin.call(method, turned)).result).toMatchObject({ created: false, payment: { id: "pay_2" } });
    for (const change of [{ of: { reference: "r-1" } }, { cashier: "Jo" }])
      expect(errorOf(await twin.call(method, { ...follow, ...needed, ...change }))).toMatchObject({
        code: -32007,
        is: "reference-reused",
      });
  });

  it("is not told apart from others by its reference alone", async () => {
    const open = await sold();
    await open.call(method, { ...follow, amount: undefined, ...needed });
    for (const [other, , wanted] of METHODS.filter(([name]) => name !== method))
      expect(errorOf(await open.call(other, { ...follow, ...wanted }))).toMatchObject({ is: "reference-reused" });
    expect(errorOf(await open.call(method, { ...follow, ...needed, reference: "r-1" }))).toMatchObject({
      is: "reference-reused",
    });
  });

  it("hides what failed inside, and tells of the same reference once it succeeds", async () => {
    const open = await sold();
    open.payments.step = async (name) => {
      if (name === "followUp") throw new Error("disk on fire");
    };
    expect(errorOf(await open.call(method, { ...follow, ...needed })).is).toBe("internal-error");
    open.payments.step = async () => undefined;
    await open.call(method, { ...follow, ...needed });
    expect(
      open
        .changes()
        .slice(-3)
        .map(({ payment }) => payment.id),
    ).toEqual(["pay_2", "pay_2", "pay_1"]);
  });
});

describe("scopes", () => {
  it.each([
    ["payment.capture", "cashier-token", "refund-token", "payments"],
    ["payment.void", "cashier-token", "refund-token", "payments"],
    ["payment.increment", "cashier-token", "refund-token", "payments"],
    ["payment.refund", "refund-token", "cashier-token", "refunds"],
  ])("%s is open to %s and closed to %s", async (method, may, mayNot, scope) => {
    const payments = fakePayments();
    await (await opened("till-token", payments)).call("payment.start", sale);
    const params = { ...follow, ...(method === "payment.increment" && { amount: "5.00" }) };
    const closed = await (await opened(mayNot, payments)).call(method, params);
    expect(errorOf(closed)).toMatchObject({ code: -32002, is: "forbidden", advice: "fix-config" });
    expect(closed.error?.message).toContain(`the scope ${scope}:`);
    expect(payments.followUps).toEqual([]);
    expect((await (await opened(may, payments)).call(method, params)).error).toBeUndefined();
  });
});

describe("amounts", () => {
  it.each(["payment.capture", "payment.refund"])("of %s are all that is left where none is said", async (method) => {
    const open = await sold();
    await open.call(method, follow);
    await open.call(method, { ...follow, reference: "f-2", amount: "1.00" });
    expect(open.payments.followUps.map(({ amount }) => amount)).toEqual([undefined, "1.00"]);
  });

  it("of an increment have to be said", async () => {
    expect(errorOf(await (await sold()).call("payment.increment", follow))).toMatchObject({
      code: -32602,
      path: "amount",
    });
  });

  it("of a void are refused, with the way to give back a part", async () => {
    const open = await sold();
    const answer = await open.call("payment.void", { ...follow, amount: "1.00" });
    expect(errorOf(answer)).toEqual({ code: -32011, is: "invalid-amount", advice: "fix-request", path: "amount" });
    expect(answer.error?.message).toContain("payment.refund");
    expect(open.payments.followUps).toEqual([]);
  });
});

describe("what a socket is told of follow-ups", () => {
  it("is every change of those that it started, after the reply, and of no original that it did not start", async () => {
    const payments = fakePayments();
    await (await opened("till-token", payments)).call("payment.start", sale);
    const office = await opened("till-token", payments);
    await office.call("payment.refund", follow);
    payments.change("pay_1", { refundedAmount: "12.34" });
    expect(office.frames.map(({ method, id }) => method ?? id)).toEqual([
      "bridge.hello",
      1,
      2,
      "payment.changed",
      "payment.changed",
    ]);
    expect(office.changes().map(({ payment }) => [payment.id, payment.state])).toEqual([
      ["pay_2", "CREATED"],
      ["pay_2", "FINAL"],
    ]);
  });

  it("is also what became of the original where the same socket started it, after the reply all the same", async () => {
    const open = await sold();
    const before = open.frames.length;
    await open.call("payment.void", follow);
    expect(open.frames.slice(before).map(({ method, id }) => method ?? id)).toEqual([
      3,
      "payment.changed",
      "payment.changed",
      "payment.changed",
    ]);
    expect(open.changes().map(({ cursor, payment }) => [cursor, payment.id])).toEqual([
      ["1", "pay_1"],
      ["2", "pay_1"],
      ["3", "pay_2"],
      ["4", "pay_2"],
      ["5", "pay_1"],
    ]);
  });

  it("is nothing of one that was refused", async () => {
    const payments = fakePayments();
    await (await opened("till-token", payments)).call("payment.start", sale);
    const refused = await opened("till-token", payments);
    await refused.call("payment.refund", { ...follow, of: "r-9" });
    await (await opened("till-token", payments)).call("payment.refund", follow);
    expect(refused.changes()).toEqual([]);
  });

  it("waits for the reply on a socket that is subscribed, too, the original of another register included", async () => {
    const payments = fakePayments();
    await (await opened("till-token", payments)).call("payment.start", sale);
    const office = await opened("office-token", payments);
    await office.call("events.subscribe", {});
    await office.call("payment.void", { of: { id: "pay_1" }, reference: "f-1" });
    expect(office.frames.slice(3).map(({ method, id }) => method ?? id)).toEqual([
      3,
      "payment.changed",
      "payment.changed",
      "payment.changed",
    ]);
  });
});

describe("payment.confirmSignature", () => {
  const signing = async (payments = fakePayments()): Promise<Talk> => {
    const open = await opened("till-token", payments);
    await open.call("payment.start", sale);
    payments.change("pay_1", { state: "COMPLETING", prompt: { code: "SIGN", text: "The customer signs" } });
    return open;
  };

  it.each([
    [true, "APPROVED"],
    [false, "FAILED"],
  ])("hands on %s, and the reply comes before what it caused", async (accepted, outcome) => {
    const open = await signing();
    const { result } = await open.call("payment.confirmSignature", { reference: "r-1", accepted });
    expect(result).toMatchObject({ payment: { id: "pay_1", outcome } });
    expect(open.payments.signatures).toEqual([{ id: "pay_1", accepted }]);
    expect(open.frames.slice(-2).map(({ method, id }) => method ?? id)).toEqual([3, "payment.changed"]);
  });

  it("is taken from another socket of the register, which is told nothing of the payment afterwards", async () => {
    const payments = fakePayments();
    const till = await signing(payments);
    const desk = await opened("till-token", payments);
    expect((await desk.call("payment.confirmSignature", { id: "pay_1", accepted: true })).error).toBeUndefined();
    expect(desk.changes()).toEqual([]);
    expect(till.changes().at(-1)?.payment.outcome).toBe("APPROVED");
  });

  it.each([
    ["no word", { reference: "r-1" }, "accepted"],
    ["a word for a boolean", { reference: "r-1", accepted: "yes" }, "accepted"],
    ["no payment", { accepted: true }, "reference"],
    ["two payments", { accepted: true, reference: "r-1", id: "pay_1" }, "reference"],
    ["an unknown field", { accepted: true, reference: "r-1", cashier: "Jo" }, "cashier"],
  ])("answers %s with invalid params and the path", async (_what, params, path) => {
    expect(errorOf(await (await signing()).call("payment.confirmSignature", params))).toMatchObject({
      code: -32602,
      path,
    });
  });

  it("is refused where nobody waits for it, and where there is no such payment", async () => {
    const open = await sold();
    expect(errorOf(await open.call("payment.confirmSignature", { reference: "r-1", accepted: true }))).toMatchObject({
      is: "not-allowed",
    });
    expect(errorOf(await open.call("payment.confirmSignature", { reference: "r-9", accepted: true }))).toMatchObject({
      is: "not-found",
    });
  });
});

describe("totals.get", () => {
  it("hands on who asks and the time in milliseconds, and answers as its schema says", async () => {
    const open = await sold();
    const { result } = await open.call("totals.get", { from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00.000Z" });
    expect(result).toEqual({
      rows: [{ terminal: "till-1", type: "SALE", brand: "VISA", currency: "EUR", count: 1, amount: "12.34" }],
    });
    const caller = { register: "till", all: false, gone: expect.any(AbortSignal) };
    expect(open.payments.periods).toEqual([
      { caller, period: { from: "2026-03-01T00:00:00.000Z", to: "2026-03-02T00:00:00.000Z" } },
    ]);
    await open.call("totals.get");
    expect(open.payments.periods[1]).toEqual({ caller, period: {} });
  });

  it("tells whoever answers when the socket that asked is gone", async () => {
    const open = await sold();
    await open.call("totals.get");
    const gone = open.payments.periods[0]?.caller.gone;
    expect(gone?.aborted).toBe(false);
    open.connection.closed();
    expect(gone?.aborted).toBe(true);
  });

  it.each([
    ["from", "yesterday"],
    ["to", "2026-03-01"],
    ["from", 0],
    ["terminal", "till-1"],
  ])("refuses %s %s", async (path, value) => {
    expect(errorOf(await (await opened()).call("totals.get", { [path]: value }))).toMatchObject({ code: -32602, path });
  });
});
