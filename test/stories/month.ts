import { getHeapSpaceStatistics } from "node:v8";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { terminalReady } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

const HOUR = 3_600_000;
const OPENS = 9;
const CLOSES = 20;
const DECLINED = "800.100.151";
/** Whoever waits for a sale gives up after that. */
const SALE_MS = 2 * HOUR;

/** What there is of the bridge on an evening, once the shop is closed. */
export interface Evening {
  readonly day: number;
  /** Bytes of objects and strings on the heap, after a collection. */
  readonly heapBytes: number;
  readonly timers: number;
  readonly sockets: number;
  readonly openPayments: number;
  /** Lines of /metrics: one a figure. */
  readonly figures: number;
}

export interface Month {
  readonly shop: StoryShop;
  readonly evenings: readonly Evening[];
  readonly outcomes: Readonly<Record<string, number>>;
  /** What the registers were told to have taken, less what was given back, in cents. */
  readonly takenCents: number;
  /** How the first sale of each day ended. */
  readonly firstOfDay: readonly string[];
}

export interface MonthOptions {
  readonly days: number;
  readonly salesADay: number;
  /** Frees what nobody needs. */
  collect(): void;
}

/** Each is used at one till alone: its counter may only rise. */
const CARDS = [
  "visa-contact",
  "visa-contactless",
  "mastercard-contact",
  "visa-contact-cvn18",
  "contact-declines-after-approval",
  "mastercard-contactless",
];

/**
 * A shop with two tills that are switched off every night: each day it sells so many times, and the gateway declines,
 * or its answers are lost.
 */
export async function liveThrough({ days, salesADay, collect }: MonthOptions): Promise<Month> {
  const shop = await openStoryShop({
    terminals: 2,
    automatic: true,
    keptLines: 200,
    timeouts: { unknownWindowMs: HOUR / 2, cardMs: 60_000, pinMs: 60_000 },
  });
  const token = shop.createToken("register-2");
  const evenings: Evening[] = [];
  const outcomes: Record<string, number> = {};
  const firstOfDay: string[] = [];
  let takenCents = 0;
  let cursor = "0";
  for (let day = 1; day <= days; day += 1) {
    const tills = await Promise.all([shop.till(), shop.till(token)]);
    await tills[0]?.client.subscribe(cursor);
    await switchOn(shop, tills);
    for (let n = 0; n < salesADay; n += 1) {
      const till = tills[n % 2];
      if (till === undefined) throw new RangeError("a shop has tills");
      const { outcome, cents } = await sellOne(shop, till, { day, n });
      takenCents += cents;
      if (n === 0) firstOfDay.push(outcome);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      await shop.time.pause(((CLOSES - OPENS) * HOUR) / salesADay / 2);
    }
    cursor = tills[0]?.client.cursor() ?? cursor;
    await switchOff(shop, tills);
    await shop.time.pause(4 * HOUR);
    collect();
    evenings.push(await evening(shop, day));
    await untilMorning(shop);
  }
  return { shop, evenings, outcomes, takenCents, firstOfDay };
}

async function switchOn(shop: StoryShop, tills: readonly Till[]): Promise<void> {
  for (const [at, terminal] of shop.terminals.entries()) {
    const till = tills[at];
    if (!(await terminal.screen()).plugged) await terminal.fault("plug");
    if (till !== undefined) await terminalReady(till, terminal);
  }
}

async function switchOff(shop: StoryShop, tills: readonly Till[]): Promise<void> {
  for (const terminal of shop.terminals) await terminal.fault("unplug");
  for (const { client } of tills) client.close();
}

interface Which {
  readonly day: number;
  readonly n: number;
}

/** One payment, as its number decides, to its end or until its register gives up. */
async function sellOne(
  shop: StoryShop,
  till: Till,
  { day, n }: Which,
): Promise<{ readonly outcome: string; readonly cents: number }> {
  const reference = `${day}-${n}`;
  const terminal = shop.terminals[n % 2];
  if (terminal === undefined) throw new RangeError("a till has a terminal");
  await terminal.customerHas(CARDS[n % CARDS.length] ?? "visa-contact");
  if (n % 13 === 5) await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-after" });
  if (n % 17 === 7) await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-before" });
  if (n % 19 === 3) await shop.sandbox.fault({ on: { paymentType: "CP" }, do: "drop-before" });
  if (n % 10 === 9) await shop.sandbox.fault({ on: { paymentType: "PA" }, do: { result: DECLINED } });
  await till.client.startPayment({
    reference,
    type: "SALE",
    terminal: terminal.id,
    currency: "EUR",
    amount: `${n + 1}.00`,
  });
  if (n % 11 === 10) await till.client.cancel({ reference });
  const sold = await till.settled(reference, SALE_MS);
  const isBack = sold.outcome === "APPROVED" && n % 8 === 2 && (await giveBack(till, reference));
  await terminalReady(till, terminal);
  return { outcome: wordsFor(sold), cents: sold.outcome === "APPROVED" && !isBack ? 100 * (n + 1) : 0 };
}

/** Whether all of it was given back. */
async function giveBack(till: Till, of: string): Promise<boolean> {
  const reference = `${of}-back`;
  await till.client.refund({ of, reference });
  return (await till.settled(reference, SALE_MS)).outcome === "APPROVED";
}

const wordsFor = ({ outcome, reason }: PaymentView): string =>
  [outcome, reason?.code].filter((part) => part !== undefined).join(" ");

async function evening(shop: StoryShop, day: number): Promise<Evening> {
  const figures = (await shop.figures()).split("\n").length;
  const { clock } = shop.time;
  return {
    day,
    heapBytes: objectBytes(),
    timers: clock.pending(),
    sockets: shop.life().sockets(),
    openPayments: shop.life().active(),
    figures,
  };
}

/** Without what the compiler makes of functions that are called often. */
function objectBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) =>
    /^(new|old|large_object|new_large_object)_space$/.test(space_name),
  );
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

async function untilMorning({ time }: StoryShop): Promise<void> {
  const intoDay = time.clock.now() % (24 * HOUR);
  await time.pause((OPENS * HOUR - intoDay + 24 * HOUR) % (24 * HOUR));
}
