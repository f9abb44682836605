import { expect, test } from "vitest";
import type { SearchResult } from "../../../src/payment/fact/answer.ts";
import { type Counter, openCounter, startRequest, till, tillOfAnyBooking } from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";

/*
 * Registers ask by the gateway's ids about bookings that this journal does not know, and the gateway answers two
 * queries a minute.
 */

const other = { ...tillOfAnyBooking, register: "other" };

/** A gateway that knows the booking "known", and notes what it is asked for. */
function shop(): { readonly counter: Counter; readonly asked: string[] } {
  const asked: string[] = [];
  const search = (of: object): SearchResult => {
    asked.push("id" in of ? String(of.id) : "a payment");
    return "id" in of && of.id === "known"
      ? { is: "found", bookings: [{ id: "known", paymentType: "CP", answer: approval(1234, "known") }] }
      : { is: "absent" };
  };
  const counter = openCounter({
    answer: ({ operation }) => (operation.paymentType === "PA" ? silence : approval(100, "RF1")),
    search: ({ of }) => search(of),
  });
  return { counter, asked };
}

let count = 0;
/** Asks for a refund, and tells how it was answered, and when. */
function refund(
  { counter }: ReturnType<typeof shop>,
  caller: typeof other,
  gatewayId: string,
  answers: string[],
): void {
  count += 1;
  const request = {
    type: "LINKED_REFUND",
    reference: `F-${count}`,
    of: { gatewayId },
    amount: "1.00",
    fingerprint: String(count),
  } as const;
  void counter.payments.followUp(caller, request).then((reply) => {
    const at = Math.floor(counter.clock.monotonic() / 1000);
    answers.push(`${caller.register} ${reply.ok ? "accepted" : reply.refusal.code} ${at}`);
  });
}

test("A register that asks again before its reply is told to wait for it, and the gateway is not asked", async () => {
  const it = shop();
  const answers: string[] = [];
  refund(it, tillOfAnyBooking, "madeup1", answers);
  refund(it, tillOfAnyBooking, "madeup2", answers);
  await it.counter.clock.advance(1_000);
  expect(answers).toEqual(["till too-many-requests 0", "till not-found 0"]);
  refund(it, tillOfAnyBooking, "madeup3", answers);
  await it.counter.clock.advance(70_000);
  expect(answers.slice(2)).toEqual(["till not-found 62"]);
  expect(it.asked).toEqual(["madeup1", "madeup3"]);
});

test("A register whose token has no right to foreign bookings is refused without a query, and keeps nobody from the booking", async () => {
  const it = shop();
  const answers: string[] = [];
  const { foreign: _, ...thief } = tillOfAnyBooking;
  refund(it, thief, "known", answers);
  refund(it, other, "known", answers);
  await it.counter.clock.advance(1_000);
  expect(answers).toEqual(["till forbidden 0", "other accepted 0"]);
  expect(it.asked).toEqual(["known"]);
});

test("A register that asks about made-up ids without end keeps no other one waiting", async () => {
  const it = shop();
  const answers: string[] = [];
  for (let second = 0; second < 180; second += 1) {
    refund(it, tillOfAnyBooking, `madeup${second}`, []);
    if (second === 10 || second === 90) refund(it, other, "known", answers);
    await it.counter.clock.advance(1_000);
  }
  expect(answers).toEqual(["other accepted 10", "other accepted 90"]);
});

test("A sale whose answer was lost is queried at once beside a register that asks about made-up ids without end", async () => {
  const it = shop();
  let started: Promise<unknown> | undefined;
  for (let second = 0; second < 60; second += 1) {
    refund(it, tillOfAnyBooking, `madeup${second}`, []);
    if (second === 5) started = it.counter.payments.start(till, startRequest("R-1"));
    await it.counter.clock.advance(1_000);
  }
  await started;
  const [posted] = it.counter.posted;
  expect(posted?.operation.paymentType).toBe("PA");
  expect(it.asked).toContain("a payment");
});

test("Nobody waits longer than a minute and a half, where more registers ask than the gateway takes queries", async () => {
  const it = shop();
  const answers: string[] = [];
  for (const register of ["a", "b", "c", "d", "e", "f"])
    refund(it, { ...other, register }, `unknown${register}`, answers);
  await it.counter.clock.advance(300_000);
  expect(answers).toEqual([
    "a not-found 0",
    "b not-found 0",
    "c not-found 62",
    "d not-found 62",
    "e gateway-unreached 90",
    "f gateway-unreached 90",
  ]);
});

test("A look-up ends with the socket that asked: it holds the booking no longer, and the gateway is not asked", async () => {
  const it = shop();
  const answers: string[] = [];
  for (const register of ["a", "b"]) refund(it, { ...other, register }, `unknown${register}`, []);
  const socket = new AbortController();
  refund(it, { ...tillOfAnyBooking, gone: socket.signal }, "known", answers);
  await it.counter.clock.advance(1_000);
  refund(it, other, "known", answers);
  await it.counter.clock.advance(1_000);
  socket.abort();
  await it.counter.clock.advance(1_000);
  refund(it, other, "known", answers);
  refund(it, tillOfAnyBooking, "madeup1", answers);
  await it.counter.clock.advance(120_000);
  expect(answers).toEqual([
    "other undecided-payment 1",
    "till gateway-unreached 2",
    "till not-found 62",
    "other accepted 62",
  ]);
  expect(it.asked).toEqual(["unknowna", "unknownb", "known", "madeup1"]);
});

test("A look-up of a socket that is gone already asks nothing", async () => {
  const it = shop();
  const answers: string[] = [];
  for (const register of ["a", "b"]) refund(it, { ...other, register }, `unknown${register}`, []);
  refund(it, { ...tillOfAnyBooking, gone: AbortSignal.abort() }, "known", answers);
  await it.counter.clock.advance(120_000);
  expect([answers, it.asked]).toEqual([["till gateway-unreached 0"], ["unknowna", "unknownb"]]);
});
