import { once } from "node:events";
import { WebSocket } from "ws";
import { z } from "zod";
import { JournalBroken, JournalUnwritable } from "../../../src/engine/ports.ts";
import type { PaymentsDesk } from "../../../src/engine/service/payment-service.ts";
import { createRecentLines } from "../../../src/observe/recent-lines.ts";
import type { Technician } from "../../../src/register/technician.ts";
import { type Counter, openCounter } from "../../support/counter.ts";
import { startBridge } from "../bridge.ts";
import { openDocumentShop } from "../document-shop.ts";
import { documentTechnician } from "../document-technician.ts";
import { fakePairing } from "../fake-pairing.ts";
import { pageKey } from "../page-key.ts";
import { type Talk, talkTo } from "../talk.ts";
import type { Exchange, Json } from "./exchange.ts";

/** What no shop of the stories has: a folder that was put back, a full disk, an undecided gateway. */
export async function recordStaged(): Promise<{
  readonly methods: ReadonlyMap<string, Exchange>;
  readonly errors: ReadonlyMap<string, Exchange>;
  readonly notifications: ReadonlyMap<string, Json>;
}> {
  const methods = new Map<string, Exchange>();
  const errors = new Map<string, Exchange>();
  await technicians(methods);
  const notifications = await pairing(methods);
  await rolledBack(methods, errors);
  await refundLimit(errors);
  await frames(errors);
  await foreignPage(errors);
  await failingDisk(errors);
  await terminalOutOfService(errors);
  await failures(errors);
  return { methods, errors, notifications };
}

const UNDECIDED = { reference: "member-7/april", registration: "8ac7a4a0000000000000000000000010" };
const sale = { reference: "2026-01-15/0020", type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" };
const TECHNICIAN = { token: "technician-token" };

async function exchange(line: Talk<PaymentsDesk>, method: string, params: Json = {}): Promise<Exchange> {
  const reply = await line.call(method, params);
  const request = { jsonrpc: "2.0", id: z.int().parse(reply.id), method, params };
  return { request, response: z.json().parse(reply) };
}

async function technicians(methods: Map<string, Exchange>): Promise<void> {
  const { counter, socket } = openDocumentShop();
  const till = socket();
  await till.call("session.open", { token: "desk-token" });
  for (const method of ["terminals.scan", "bridge.checks"]) methods.set(method, await exchange(till, method));
  await till.call("registration.pay", { ...UNDECIDED, currency: "EUR", amount: "33.00" });
  await counter.clock.advance(60_000);
  const { reference } = UNDECIDED;
  methods.set("payment.timeline", await exchange(till, "payment.timeline", { reference, register: "till" }));
  await counter.clock.advance(2_400_000);
  const decision = { as: "reversed", reason: "not in the back office" };
  methods.set("payment.resolve", await exchange(till, "payment.resolve", { reference, ...decision }));
}

/** A page is paired, and another one is refused. */
async function pairing(methods: Map<string, Exchange>): Promise<ReadonlyMap<string, Json>> {
  const { counter, socket, page, registers } = openDocumentShop();
  const technician = socket();
  await technician.call("session.open", { token: "desk-token" });
  const notifications = new Map<string, Json>();
  for (const [number, decision] of [
    [7, "registers.approve"],
    [11, "registers.refuse"],
  ] as const) {
    const asking = page();
    const { key, secret, challenge } = pageKey(number);
    methods.set("session.challenge", await exchange(asking, "session.challenge", { challenge }));
    methods.set("session.pair", await exchange(asking, "session.pair", { name: `till-${number}`, key, secret }));
    methods.set("registers.pending", await exchange(technician, "registers.pending"));
    const code = registers.pending()[0]?.code ?? "";
    methods.set(decision, await exchange(technician, decision, { code }));
    for (const method of ["session.pair", "registers.pending", decision]) steadyCode(methods, method, code);
    await counter.clock.advance(100);
    const told = asking.frames.at(-1);
    if (told?.method !== undefined) notifications.set(told.method, z.json().parse(told));
  }
  return notifications;
}

/** The code is computed from a signature, and so random in each recording: another one stands on the page. */
function steadyCode(methods: Map<string, Exchange>, method: string, code: string): void {
  const own = methods.get(method);
  const steady = (json: Json): Json =>
    z.json().parse(JSON.parse(JSON.stringify(json).replaceAll(`"${code}"`, '"K7M2QX"')));
  if (own !== undefined) methods.set(method, { request: steady(own.request), response: steady(own.response) });
}

async function rolledBack(methods: Map<string, Exchange>, errors: Map<string, Exchange>): Promise<void> {
  const { counter, socket } = openDocumentShop();
  const [till, workshop] = [socket(), socket()];
  await till.call("session.open", { token: "till-token" });
  await workshop.call("session.open", TECHNICIAN);
  await counter.journal.cursors.notice({
    register: "till-2",
    at: "2026-01-14T08:00:00.000Z",
    last: 180,
    number: 196,
    generation: 0,
  });
  methods.set("rollbacks.list", await exchange(workshop, "rollbacks.list"));
  errors.set("data-folder-rolled-back", await exchange(till, "payment.start", sale));
  const confirmation = { by: "Anna", reason: "disk exchanged; four sales checked in the back office" };
  methods.set("rollbacks.confirm", await exchange(workshop, "rollbacks.confirm", confirmation));
}

async function refundLimit(errors: Map<string, Exchange>): Promise<void> {
  const { counter, socket } = openDocumentShop();
  const till = socket();
  await till.call("session.open", { token: "limited-token" });
  await till.call("payment.start", sale);
  await counter.clock.advance(5_000);
  const refund = { of: sale.reference, reference: "2026-01-15/0021", amount: "12.00" };
  errors.set("refund-limit", await exchange(till, "payment.refund", refund));
}

/** What is no request at all. */
async function frames(errors: Map<string, Exchange>): Promise<void> {
  const till = openDocumentShop().socket();
  for (const [code, request] of [
    ["parse-error", '{"jsonrpc":"2.0","id":1,"method":"session.ping"'],
    ["invalid-request", '{"jsonrpc":"2.0","method":"session.ping","params":{}}'],
  ] as const) {
    till.say(request);
    errors.set(code, { request, response: z.json().parse(till.frames.at(-1)) });
  }
}

/** A page of a foreign origin says nothing and hears one frame. */
async function foreignPage(errors: Map<string, Exchange>): Promise<void> {
  await using bridge = await startBridge();
  const origin = "https://stranger.example";
  const page = new WebSocket(bridge.url, { headers: { Origin: origin } });
  const [data]: unknown[] = await once(page, "message");
  await once(page, "close");
  const response = z.json().parse(JSON.parse(String(data)));
  errors.set("origin-not-allowed", { request: { upgrade: "/v1", Origin: origin }, response });
}

async function failingDisk(errors: Map<string, Exchange>): Promise<void> {
  for (const [code, cause] of [
    ["journal-unwritable", new JournalUnwritable("the disk is full")],
    ["journal-broken", new JournalBroken("a write failed")],
  ] as const) {
    const counter = openCounter({ journal: (journal) => ({ ...journal, append: () => Promise.reject(cause) }) });
    const till = lineOf(counter, documentTechnician(counter));
    await till.call("session.open", { token: "till-token" });
    errors.set(code, await exchange(till, "payment.start", sale));
  }
}

async function terminalOutOfService(errors: Map<string, Exchange>): Promise<void> {
  const counter = openCounter();
  const till = lineOf(counter, documentTechnician(counter));
  await till.call("session.open", { token: "till-token" });
  counter.terminal.become("out-of-service");
  errors.set("terminal-out-of-service", await exchange(till, "payment.start", sale));
}

async function failures(errors: Map<string, Exchange>): Promise<void> {
  const counter = openCounter();
  const recent = createRecentLines("1773000000000");
  recent.add(JSON.stringify({ level: "info", time: "2026-01-15T00:00:00.000Z", msg: "printer said 4200000000000000" }));
  const technician = documentTechnician(counter, recent);
  const failing = { ...technician, checks: () => Promise.reject(new Error("the disk was taken away")) };
  const found = lineOf(counter, technician);
  await found.call("session.open", TECHNICIAN);
  errors.set("card-number-found", await exchange(found, "bridge.supportBundle"));
  const failed = lineOf(counter, failing);
  await failed.call("session.open", TECHNICIAN);
  errors.set("internal-error", await exchange(failed, "bridge.checks"));
}

function lineOf({ payments, clock }: Counter, technician: Technician): Talk<PaymentsDesk> {
  return talkTo({ payments, technician, pairing: fakePairing() }, clock, () => clock.advance(1), 5_000);
}
