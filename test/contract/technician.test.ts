import { expect, test } from "vitest";
import { tracedSchema } from "../../src/register/rpc/technician-schemas.ts";
import { AT, fakePayments } from "./fake-payments.ts";
import { fakeTechnician } from "./fake-technician.ts";
import { errorOf, opened, sale, type Talk } from "./talk.ts";

const FORBIDDEN = { code: -32002, is: "forbidden", advice: "fix-config", path: undefined };
const CALLS: readonly (readonly [method: string, params: object])[] = [
  ["payment.timeline", { id: "pay_1" }],
  ["payment.resolve", { id: "pay_1", as: "reversed", reason: "not in the back office" }],
  ["terminals.trace", { terminal: "till-1" }],
  ["terminals.untrace", { terminal: "till-1" }],
  ["bridge.checks", {}],
  ["bridge.log", {}],
  ["bridge.supportBundle", {}],
];

const frame = {
  at: AT,
  direction: "sent",
  text: "start-transaction",
  tags: [{ tag: "9F02", name: "Amount", length: 6, value: "000000001234" }],
} as const;
const traced = (talk: Talk) =>
  talk.frames.filter(({ method }) => method === "terminal.traced").map(({ params }) => tracedSchema.parse(params));
const acts = (talk: Talk) =>
  talk.events.flatMap((event) => (event.on === "call" || event.on === "session-opened" ? [] : [event.on]));

test.each(CALLS)(
  "%s is for technicians: other tokens are refused, whatever else they may do",
  async (method, params) => {
    for (const token of ["till-token", "office-token", "empty-token"])
      expect(errorOf(await (await opened(token)).call(method, params))).toEqual(FORBIDDEN);
    expect((await (await opened("technician-token")).call(method, params)).error).toBeUndefined();
  },
);

test("a technician lists the open payments of every register, and no others", async () => {
  const payments = fakePayments();
  await (await opened("till-token", payments)).call("payment.start", sale);
  const technician = await opened("technician-token", payments);
  expect((await technician.call("payment.list", { open: true })).result).toMatchObject({
    payments: [{ reference: "r-1", register: "till" }],
  });
  expect(errorOf(await technician.call("payment.list"))).toEqual(FORBIDDEN);
  // A register with the scope of a technician still reads its own payments alone where it does not ask for open ones.
  await (await opened("other-token", payments)).call("payment.start", { ...sale, reference: "o-1" });
  const desk = await opened("desk-token", payments);
  expect((await desk.call("payment.list")).result).toMatchObject({ payments: [{ reference: "r-1" }] });
  expect((await desk.call("payment.list", { open: true })).result).toMatchObject({
    payments: [{ reference: "o-1" }, { reference: "r-1" }],
  });
});

test.each([
  ["payment.timeline", {}, "reference"],
  ["payment.timeline", { id: "pay_1", reference: "r-1" }, "reference"],
  ["payment.timeline", { id: "pay_1", register: "till" }, "register"],
  ["payment.resolve", { as: "reversed", reason: "x" }, "reference"],
  ["payment.resolve", { id: "pay_1", as: "gone", reason: "x" }, "as"],
  ["payment.resolve", { id: "pay_1", as: "reversed" }, "reason"],
  ["payment.resolve", { id: "pay_1", as: "approved", reason: "x", gatewayId: "../x" }, "gatewayId"],
  ["bridge.log", { limit: 1_001 }, "limit"],
])("%s with %j is refused, and says which field it is", async (method, params, path) => {
  const technician = await opened("technician-token");
  expect(errorOf(await technician.call(method, params))).toMatchObject({ is: "invalid-params", path });
});

test("a resolution is kept with the register's name, and none without the gateway's id or with a card number reaches the payment", async () => {
  const technician = fakeTechnician();
  const talk = await opened("technician-token", undefined, technician);
  const order = { reference: "r-1", register: "till", as: "approved", reason: "the back office shows it" };
  expect(errorOf(await talk.call("payment.resolve", order))).toMatchObject({ is: "not-allowed", path: "gatewayId" });
  expect(
    errorOf(await talk.call("payment.resolve", { ...order, gatewayId: "8ac7", reason: "card 4761 3400 0000 0050" })),
  ).toMatchObject({
    is: "card-number-in-text",
  });
  expect(technician.resolved).toEqual([]);
  expect((await talk.call("payment.resolve", { ...order, gatewayId: "8ac7" })).result).toMatchObject({
    gateway: "nothing",
  });
  const { as, reason } = order;
  expect(technician.resolved).toEqual([
    { key: { reference: "r-1", register: "till" }, order: { as, reason, gatewayId: "8ac7", by: "register workshop" } },
  ]);
});

test("a trace is told to the session that asked for it, after the reply, until it is ended; who traced what is in the audit", async () => {
  const technician = fakeTechnician();
  const talk = await opened("technician-token", undefined, technician);
  const other = await opened("technician-token", undefined, technician);
  expect((await talk.call("terminals.trace", { terminal: "till-1" })).result).toEqual({ until: AT });
  technician.frame(frame);
  expect(traced(talk)).toEqual([{ terminal: "till-1", ...frame }]);
  expect(traced(other)).toEqual([]);
  await talk.call("terminals.untrace", { terminal: "till-1" });
  technician.frame(frame);
  expect([traced(talk).length, technician.tracing(), acts(talk)]).toEqual([1, 0, ["trace-begun", "trace-ended"]]);
  expect(errorOf(await talk.call("terminals.trace", { terminal: "till-9" }))).toMatchObject({
    is: "unknown-terminal",
    path: "terminal",
  });
});

test("a trace that is asked for again is one trace, and says when its time is over", async () => {
  const technician = fakeTechnician();
  const talk = await opened("technician-token", undefined, technician);
  for (const _ of [1, 2]) await talk.call("terminals.trace", { terminal: "till-1" });
  technician.frame(frame);
  expect([technician.tracing(), traced(talk).length]).toEqual([1, 1]);
  technician.timeOver();
  expect(traced(talk).at(-1)).toMatchObject({ direction: "note", text: expect.stringContaining("15 minutes") });
  technician.frame(frame);
  expect([technician.tracing(), traced(talk).length]).toEqual([0, 2]);
});

test("a trace ends with its session", async () => {
  const technician = fakeTechnician();
  const talk = await opened("technician-token", undefined, technician);
  await talk.call("terminals.trace", { terminal: "till-1" });
  talk.connection.closed();
  expect([technician.tracing(), acts(talk)]).toEqual([0, ["trace-begun", "trace-ended"]]);
});

test("frames of a trace that a slow reader cannot take are left out and counted, and his socket stays open", async () => {
  const technician = fakeTechnician();
  const talk = await opened("technician-token", undefined, technician);
  await talk.call("terminals.trace", { terminal: "till-1" });
  talk.reader.waiting = 262_145;
  for (const _ of [1, 2, 3]) technician.frame(frame);
  expect(traced(talk)).toEqual([]);
  talk.reader.waiting = 262_144;
  technician.frame(frame);
  expect(traced(talk).map(({ direction, text }) => [direction, text])).toEqual([
    ["note", "3 frames were left out: this session reads too slowly"],
    ["sent", "start-transaction"],
  ]);
  expect(talk.closes).toEqual([]);
});

test("whoever makes a support bundle is in the audit", async () => {
  const talk = await opened("technician-token");
  await talk.call("bridge.supportBundle");
  expect(talk.events).toContainEqual({ on: "support-bundle-made", from: "127.0.0.1:50000", register: "workshop" });
});
