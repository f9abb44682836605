import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { nothingBooked, soldFor, takenBack } from "../scenarios/ledger.ts";
import { cardOut, saleOf, sell, terminalReady, untilCardIsAsked, untilHostIsAsked } from "../scenarios/sale.ts";
import type { TestTerminal } from "../scenarios/terminal.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop, type StoryShopOptions } from "./shop.ts";

/*
 * "Not there" is believed at the second look at the earliest, and that comes half a minute after the first
 * (docs/gateway.md, src/payment/attempt/attempt.ts). The stories share shops:
 * each has a terminal with a channel of its own, set going one after the other because a fault meets the next request
 * of its kind.
 */

const HALF_A_MINUTE = 30_000;
/**
 * The gateway answers that the acquirer is not there; a query shows the request with the same result, and nothing was
 * booked.
 */
const ACQUIRER_DOWN = "900.100.600";
/** The second look, and a few seconds to act upon it. */
const SECOND_LOOK_MS = 40_000;

interface Counter {
  readonly shop: StoryShop;
  till: Till;
}

async function openCounter(options: StoryShopOptions): Promise<Counter> {
  const shop = await openStoryShop(options);
  return { shop, till: await shop.till() };
}

function at(
  { shop, till }: Counter,
  number: number,
  reference: string,
  card = "visa-contact",
): { till: Till; terminal: TestTerminal; reference: string; card: string } {
  const terminal = shop.terminals[number - 1];
  if (terminal === undefined) throw new RangeError(`there is no terminal ${number}`);
  return { till, terminal, reference, card };
}

/** A sale up to the moment at which its reservation met the fault. */
async function reservationMeets(
  { shop }: Counter,
  sale: ReturnType<typeof at>,
  fault: string,
  delayMs = 90_000,
): Promise<void> {
  await shop.sandbox.fault({ on: { paymentType: "PA" }, do: fault, delayMs });
  await untilHostIsAsked(sale);
  await shop.sandbox.faultsUsed();
}

/** A sale up to the moment at which its capture, or its reversal, met the fault. */
async function afterwardsMeets(
  { shop }: Counter,
  sale: ReturnType<typeof at>,
  paymentType: "CP" | "RV",
  fault: string,
): Promise<void> {
  await shop.sandbox.fault({ on: { paymentType }, do: fault, delayMs: 90_000 });
  await untilHostIsAsked(sale);
  await shop.sandbox.faultsUsed();
}

const tookMs = ({ createdAt, updatedAt }: PaymentView): number => Date.parse(updatedAt) - Date.parse(createdAt);
const statesTold = ({ till }: Counter, reference: string) =>
  till.told.filter(({ payment }) => payment.reference === reference).map(({ payment }) => payment);

/** A sale up to the moment at which its reservation, or its capture, was lost on the way to the gateway. */
async function isLost({ shop }: Counter, sale: ReturnType<typeof at>, paymentType: "PA" | "CP"): Promise<void> {
  shop.network.swallow(paymentType);
  await untilHostIsAsked(sale);
  await shop.time.during(shop.network.swallowed());
}

let faulty: Counter;
let killed: Counter;
let parked: Counter;
let parkedEnd: Promise<void>;
/** Where the register stood in the feed when the bridge was killed. */
let cursorAtKill: string;

beforeAll(async () => {
  [faulty, killed, parked] = await Promise.all([
    openCounter({ terminals: 9 }),
    openCounter({ terminals: 10, timeouts: { cardMs: 60_000, hostAnswerMs: 40_000 } }),
    openCounter({ timeouts: { hostAnswerMs: 40_000 } }),
  ]);
  await Promise.all([setFaultyGoing(faulty), setGoingAndKill(killed), park(parked)]);
});
afterAll(async () => {
  await Promise.all([faulty, killed, parked].map(({ shop }) => shop.close()));
});

async function setFaultyGoing(counter: Counter): Promise<void> {
  await counter.shop.sandbox.fault({ on: { paymentType: "PA" }, do: { result: ACQUIRER_DOWN } });
  await untilHostIsAsked(at(counter, 1, "acquirer down"));
  await counter.shop.sandbox.faultsUsed();
  const never = at(counter, 2, "request lost");
  await reservationMeets(counter, never, "drop-before");
  await reservationMeets(counter, at(counter, 3, "http 500"), "http-500");
  await counter.shop.sandbox.fault({ on: { paymentType: "PA" }, do: "hide-from-query", delayMs: 10_000 });
  await reservationMeets(counter, at(counter, 4, "hidden"), "drop-after");
  await afterwardsMeets(counter, at(counter, 5, "capture lost"), "CP", "drop-before");
  await reservationMeets(counter, at(counter, 6, "too slow"), "delay");
  await afterwardsMeets(
    counter,
    at(counter, 7, "reversal's reply lost", "contact-declines-after-approval"),
    "RV",
    "drop-after",
  );
}

/** One payment in each state, then SIGKILL, then a new bridge on the same folder. */
async function setGoingAndKill(counter: Counter): Promise<void> {
  const { shop, till } = counter;
  await isLost(counter, at(counter, 1, "never reserved"), "PA");
  await isLost(counter, at(counter, 2, "never captured"), "CP");
  await afterwardsMeets(counter, at(counter, 3, "captured, not told"), "CP", "delay");
  await untilCardIsAsked(at(counter, 4, "no card yet"));
  await till.client.startPayment({ ...saleOf(at(counter, 4, "").terminal, "queued"), queue: true });
  await till.state("queued", "QUEUED");
  await reservationMeets(counter, at(counter, 5, "last word missing"), "delay", 500);
  await at(counter, 5, "").terminal.fault("hang");
  await till.state("last word missing", "COMPLETING");
  await reservationMeets(counter, at(counter, 6, "reserved, not told"), "delay");
  await afterwardsMeets(
    counter,
    at(counter, 7, "reversal lost", "contact-declines-after-approval"),
    "RV",
    "drop-before",
  );
  await afterwardsMeets(
    counter,
    at(counter, 8, "reversed, not told", "contact-declines-after-approval"),
    "RV",
    "delay",
  );
  await Promise.all(["reversal lost", "reversed, not told"].map((reference) => till.state(reference, "REVERSING")));
  await sell(at(counter, 9, "sold"));
  await sell({ ...at(counter, 10, "reserved"), type: "PREAUTHORIZATION" });
  for (const paymentType of ["RF", "CP"]) shop.network.swallow(paymentType);
  await till.client.refund({ of: "sold", reference: "never refunded" });
  await till.client.capture({ of: "reserved", reference: "never billed" });
  await shop.time.during(shop.network.swallowed());
  cursorAtKill = till.client.cursor();
  await shop.kill();
  await at(counter, 5, "").terminal.fault("reboot");
  await shop.start();
  counter.till = await shop.till();
  await counter.till.client.subscribe(cursorAtKill);
}

async function park(counter: Counter): Promise<void> {
  await reservationMeets(counter, at(counter, 1, "parked"), "delay");
  parkedEnd = counter.shop.stop();
}

describe("a gateway that gives no answer", () => {
  it.each([
    ["reply lost", "drop-after", 8],
    ["html", "http-502-html", 8],
    ["half of the reply", "truncated-json", 9],
    ["cut in the reply", "reset-mid-body", 9],
  ])(
    "is asked again, and an approval that it has is taken up while the card waits (%s)",
    async (reference, fault, number) => {
      const sale = at(faulty, number, reference);
      await reservationMeets(faulty, sale, fault);
      expect(await faulty.till.settled(reference)).toMatchObject({
        outcome: "APPROVED",
        approvedAmount: "12.34",
        capture: "captured",
        emv: { cryptogramType: "TC" },
      });
      await cardOut(sale);
      expect(await faulty.shop.booksOf(reference)).toEqual(soldFor("12.34"));
    },
  );

  it("in hostAnswerMs is asked again too", async () => {
    const payment = await faulty.till.settled("too slow");
    expect(payment).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    expect(tookMs(payment)).toBeGreaterThan(4_900);
    expect(tookMs(payment)).toBeLessThan(9_000);
    expect(await faulty.shop.booksOf("too slow")).toEqual(soldFor("12.34"));
  });

  it("to a reversal is asked again until the reversal is proven", async () => {
    expect(await faulty.till.settled("reversal's reply lost", 15_000)).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "card-declined" },
    });
    expect(await faulty.shop.booksOf("reversal's reply lost")).toEqual(takenBack);
  });

  it("to a capture keeps the sale approved and the capture pending, until it is certain and done once", async () => {
    expect(await faulty.till.state("capture lost", "FINAL")).toMatchObject({
      outcome: "APPROVED",
      decision: "approved",
      capture: "pending",
    });
    const payment = await faulty.till.settled("capture lost", SECOND_LOOK_MS + 10_000);
    expect(payment).toMatchObject({ outcome: "APPROVED", capture: "captured", capturedAmount: "12.34" });
    expect(await faulty.shop.booksOf("capture lost")).toEqual(soldFor("12.34"));
  });

  it("but of its acquirer's absence ends the sale as soon as a query agrees", async () => {
    const payment = await faulty.till.settled("acquirer down", SECOND_LOOK_MS);
    expect(payment).toMatchObject({
      outcome: "FAILED",
      decision: "not-approved",
      reason: { code: "gateway-unreached", advice: "retry" },
    });
    expect(await faulty.shop.booksOf("acquirer down")).toEqual(nothingBooked);
  });

  it.each(["request lost", "http 500"])(
    "and has nothing on two looks half a minute apart booked nothing: only then is it final (%s)",
    async (reference) => {
      const payment = await faulty.till.settled(reference, SECOND_LOOK_MS);
      expect(payment).toMatchObject({
        outcome: "FAILED",
        decision: "not-approved",
        reason: { code: "gateway-unreached", advice: "retry" },
      });
      expect(tookMs(payment)).toBeGreaterThan(HALF_A_MINUTE);
      const decided = statesTold(faulty, reference).find(({ decision }) => decision !== undefined);
      expect(decided && tookMs(decided)).toBeGreaterThan(HALF_A_MINUTE);
      // Nothing is waited for any more: the card and the cashier hear of it at once.
      expect(tookMs(payment)).toBeLessThan(SECOND_LOOK_MS);
      expect(await faulty.shop.booksOf(reference)).toEqual(nothingBooked);
    },
  );

  it("and does not find its own booking at first is not believed: the approval found later counts, because the card still waits", async () => {
    const payment = await faulty.till.settled("hidden", SECOND_LOOK_MS);
    expect(payment).toMatchObject({ outcome: "APPROVED", capture: "captured", emv: { cryptogramType: "TC" } });
    expect(tookMs(payment)).toBeGreaterThan(HALF_A_MINUTE);
    expect(await faulty.shop.booksOf("hidden")).toEqual(soldFor("12.34"));
  });
});

describe("a bridge that was killed", () => {
  const recovered = (reference: string, withinMs?: number): Promise<PaymentView> =>
    killed.till.settled(reference, withinMs);

  it("while a card was awaited cancels the sale, and the one in the queue behind it", async () => {
    expect(await recovered("no card yet")).toMatchObject({
      outcome: "CANCELLED",
      decision: "not-approved",
      reason: { code: "bridge-restarted", advice: "retry" },
    });
    expect(await recovered("queued")).toMatchObject({ outcome: "CANCELLED", reason: { code: "bridge-restarted" } });
    expect(await killed.shop.booksOf("no card yet", "queued")).toEqual(nothingBooked);
  });

  it("has sent the terminal to idle, and sells on it at once", async () => {
    const sale = at(killed, 4, "after restart", "mastercard-contact");
    expect((await sale.terminal.screen()).waitsFor).toBeNull();
    expect(await sell(sale)).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    expect(await killed.shop.booksOf("after restart")).toEqual(soldFor("12.34"));
  });

  it("while the host was asked finds the reservation and takes it back, never up", async () => {
    expect(await recovered("reserved, not told")).toMatchObject({
      outcome: "FAILED",
      reason: { code: "bridge-restarted" },
    });
    expect(await killed.shop.booksOf("reserved, not told")).toEqual(takenBack);
  });

  it("before the card's last word takes the reservation back", async () => {
    expect(await recovered("last word missing")).toMatchObject({
      outcome: "FAILED",
      reason: { code: "completion-lost" },
    });
    expect(await killed.shop.booksOf("last word missing")).toEqual(takenBack);
    await terminalReady(killed.till, at(killed, 5, "").terminal);
  });

  it("while the capture was on its way finds it and does not capture twice", async () => {
    expect(await recovered("captured, not told")).toMatchObject({
      outcome: "APPROVED",
      decision: "approved",
      capture: "captured",
    });
    expect(await killed.shop.booksOf("captured, not told")).toEqual(soldFor("12.34"));
  });

  it.each(["reversal lost", "reversed, not told"])(
    "while it was taking back goes on with it (%s)",
    async (reference) => {
      expect(await recovered(reference, 15_000)).toMatchObject({
        outcome: "DECLINED",
        reason: { code: "card-declined" },
      });
      expect(await killed.shop.booksOf(reference)).toEqual(takenBack);
    },
  );

  it("replays everything after the register's old cursor, in order, and comes to the truth of each payment", async () => {
    const till = await killed.shop.till();
    await till.client.subscribe(cursorAtKill);
    const references = [
      "no card yet",
      "queued",
      "reserved, not told",
      "last word missing",
      "captured, not told",
      "reversal lost",
      "reversed, not told",
    ];
    for (const reference of references) {
      await till.settled(reference);
      // What its terminal shows for a moment once it is over may be on its way just now.
      const isTold = async (): Promise<boolean> => {
        const now = await till.client.get({ reference });
        return isDeepStrictEqual(till.told.findLast(({ payment }) => payment.reference === reference)?.payment, now);
      };
      while (!(await isTold())) await till.waiting.pause(50);
    }
    const cursors = till.told.map(({ cursor }) => Number(cursor));
    expect(Math.min(...cursors)).toBeGreaterThan(Number(cursorAtKill));
    expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
  });

  it("knows every reference: the same start makes no second payment", async () => {
    const { payment, created } = await killed.till.client.startPayment(
      saleOf(at(killed, 6, "").terminal, "reserved, not told"),
    );
    expect({ created, outcome: payment.outcome }).toEqual({ created: false, outcome: "FAILED" });
  });

  it("while the host was asked in vain ends the sale once that is certain", async () => {
    expect(await recovered("never reserved", SECOND_LOOK_MS)).toMatchObject({
      outcome: "FAILED",
      reason: { code: "bridge-restarted" },
    });
    expect(await killed.shop.booksOf("never reserved")).toEqual(nothingBooked);
  });

  it("while the capture was lost captures once that is certain, and once", async () => {
    expect(await recovered("never captured", SECOND_LOOK_MS + 10_000)).toMatchObject({
      outcome: "APPROVED",
      capture: "captured",
    });
    expect(await killed.shop.booksOf("never captured")).toEqual(soldFor("12.34"));
  });
});

describe("a refund or a capture whose request was lost when the bridge was killed", () => {
  it.each([
    ["never refunded", "sold", "call-support"],
    ["never billed", "reserved", "retry"],
  ])(
    "is never sent twice: %s ends as not done once that is certain, and may be asked for again",
    async (reference, of, advice) => {
      const { till } = killed;
      const payment = await till.settled(reference, SECOND_LOOK_MS);
      expect(payment).toMatchObject({
        outcome: "FAILED",
        decision: "not-approved",
        reason: { code: "gateway-unreached", advice },
      });
      expect(await killed.shop.booksOf(reference)).toEqual(nothingBooked);
      const again = { of, reference: `${reference}, again` };
      await (payment.type === "CAPTURE" ? till.client.capture(again) : till.client.refund(again));
      expect(await till.settled(again.reference)).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34" });
    },
  );
});

describe("a bridge that is told to stop while the gateway thinks for long", () => {
  it("parks the payment and ends with 0, well before a service manager would kill it", async () => {
    const { time } = parked.shop;
    const started = time.now();
    await parkedEnd;
    expect(time.now() - started).toBeLessThan(25_000);
  });

  it("goes on with it at its next start, and takes the reservation back", async () => {
    await parked.shop.start();
    parked.till = await parked.shop.till();
    await parked.till.client.subscribe("0");
    expect(await parked.till.settled("parked")).toMatchObject({
      outcome: "FAILED",
      reason: { code: "bridge-restarted" },
    });
    expect(await parked.shop.booksOf("parked")).toEqual(takenBack);
  });
});

describe("after all of that", () => {
  it("each ledger agrees with everything that its registers were told, and holds nothing back", async () => {
    for (const { shop } of [faulty, killed, parked]) {
      expect(await shop.contradictions()).toEqual([]);
      expect(await shop.books()).toMatchObject({ held: "0.00" });
    }
  });
});
