import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { openBackOffice, type Reserved } from "./back-office.ts";
import { cents, type Row } from "./books.ts";
import type { Listed, Shown } from "./journal.ts";
import { later } from "./processes.ts";
import type { Word } from "./record.ts";
import type { Shop } from "./shop.ts";

/**
 * Who looks after a shop: a person who reads the bridge's alarms and the list of open payments, looks in the gateway's
 * back office what became of those that wait for a
 * person, books by hand what is missing or leaves it, and closes them with a word that is true (docs/payments.md,
 * "Closing one by hand").
 */
export interface Operator {
  /** Resolves when nothing waits for him any more, or when nothing has got better for too long. */
  end(): Promise<Looked>;
}

export interface Looked {
  readonly words: readonly Word[];
  /** What he was told of and could not close, or what became of it against his word. */
  readonly problems: readonly { readonly about: string; readonly problem: string }[];
}

/**
 * Between two looks at the log; then the list of open payments is read where there was an alarm, or something is left
 * to do.
 */
const LOOK_MS = 4_000;
const ALARM = '"alarm":true';

interface Desk {
  readonly shop: Shop;
  readonly random: SeededRandom;
  readonly words: Map<string, Word>;
  readonly problems: { readonly about: string; readonly problem: string }[];
  /** What he said last, and what the command answered where it refused that, by payment. */
  readonly tried: Map<string, { readonly row: Listed; readonly said: Said; readonly refused: string | undefined }>;
  /** Whether the rest is worth capturing to him, by payment. */
  readonly plans: Map<string, boolean>;
  /** Of what he has captured something by hand. */
  readonly captured: Map<string, Listed>;
  isOver: boolean;
}

/** What a look at one payment came to: `again` where he has to look once more. */
type Came = "closed" | "again" | "not-mine";

export function startOperator(shop: Shop, random: SeededRandom, patienceMs: number): Operator {
  const desk: Desk = {
    shop,
    random,
    words: new Map(),
    problems: [],
    tried: new Map(),
    plans: new Map(),
    captured: new Map(),
    isOver: false,
  };
  const day = lookAfter(desk);
  return {
    end: async () => {
      desk.isOver = true;
      await day;
      const left = await closeAll(desk, patienceMs);
      // A word that was taken after its command had been given up.
      for (const id of desk.tried.keys()) if (!desk.words.has(id)) await heard(desk, id);
      const waiting = left.map(({ id, reference }) => ({
        about: reference,
        problem: `waits for a person, who could not close it: ${desk.tried.get(id)?.refused ?? "the books were never as he wanted them"}`,
      }));
      return { words: [...desk.words.values()], problems: [...desk.problems, ...waiting] };
    },
  };
}

async function lookAfter(desk: Desk): Promise<void> {
  let [alarms, left] = [0, 0];
  while (!desk.isOver) {
    await later(LOOK_MS);
    const told = desk.shop.bridge.printed().filter((line) => line.includes(ALARM)).length;
    if (told > alarms || left > 0) left = (await round(desk)).length;
    alarms = told;
  }
}

/** At the end of the day he reads the list whether there were alarms or not. Resolves with what he could not close. */
async function closeAll(desk: Desk, patienceMs: number): Promise<readonly Listed[]> {
  let least = Number.POSITIVE_INFINITY;
  let since = performance.now();
  for (;;) {
    const left = await round(desk);
    const count = left.length + (await undo(desk));
    if (count === 0) return [];
    if (count < least) since = performance.now();
    least = Math.min(least, count);
    if (performance.now() - since > patienceMs) return left;
    await later(LOOK_MS);
  }
}

/** Everything that waits for a person, once. Resolves with what is left to do. */
async function round(desk: Desk): Promise<readonly Listed[]> {
  const waiting = (await desk.shop.open()).filter(isForPeople);
  const came = await Promise.all(waiting.map((row) => looked(desk, row)));
  return waiting.filter((_, at) => came[at] === "again");
}

/** Of what is not final the bridge may still learn more: that it comes to its end is a rule of its own. */
function isForPeople({ state, mend }: Listed): boolean {
  return state === "FINAL" && mend?.includes("posbridge resolve") === true;
}

async function looked(desk: Desk, row: Listed): Promise<Came> {
  try {
    return await close(desk, row);
  } catch (error) {
    // The gateway is down at this moment: fetch says so with a TypeError.
    if (!(error instanceof TypeError)) throw error;
    return "again";
  }
}

async function close(desk: Desk, row: Listed): Promise<Came> {
  const { shop, tried } = desk;
  const { id, register, reference } = row;
  const said = await wordOn(desk, row, await shop.show(row));
  if (said === "again" || said === "not-mine") return said;
  tried.set(id, { row, said, refused: await shop.resolve({ register, reference, ...said }) });
  return (await heard(desk, id)) ? "closed" : "again";
}

/** Whether the journal keeps what he said last: the answer of the command may have been lost with its process. */
async function heard({ shop, words, tried, problems }: Desk, id: string): Promise<boolean> {
  const last = tried.get(id);
  if (last === undefined) return false;
  const { row, said } = last;
  const { resolved } = await shop.show(row);
  if (resolved === undefined) return false;
  words.set(id, { register: row.register, reference: row.reference, ...said });
  if (resolved.as !== said.as || resolved.gatewayId !== said.gatewayId)
    problems.push({
      about: row.reference,
      problem: `was closed as ${textOf(said)}, and the journal says ${textOf(resolved)}`,
    });
  return true;
}

type Said = Pick<Word, "as" | "gatewayId">;

function textOf({ as, gatewayId = "no booking" }: NonNullable<Shown["resolved"]>): string {
  return `${as} (${gatewayId})`;
}

/** The true word on it, once the books are as he wants them. */
async function wordOn(desk: Desk, row: Listed, shown: Shown): Promise<Said | Exclude<Came, "closed">> {
  const { type, capture, approvedAmount, capturedAmount, lateBooking } = shown;
  const isCredit = type === "REFUND" || type === "LINKED_REFUND";
  if (isCredit && lateBooking === true) return { as: "declined" };
  const isMissing = capture === "failed" || (capture === "captured" && capturedAmount !== approvedAmount);
  return type === "SALE" && isMissing ? captureWordOn(desk, row) : "not-mine";
}

async function captureWordOn({ shop, random, plans, captured }: Desk, row: Listed): Promise<Said | "again"> {
  const isWorthIt = plans.get(row.id) ?? random.below(2) === 0;
  plans.set(row.id, isWorthIt);
  const office = openBackOffice(shop.gateway);
  const deed = deedFor(await office.lookUp(row.reference), isWorthIt);
  switch (deed.does) {
    case "says":
      return deed.said;
    case "captures":
      captured.set(row.id, row);
      await office.capture(deed.reservation, deed.cents);
      return "again";
    case "reverses":
      for (const wrong of deed.captures) await office.reverse(wrong);
      return "again";
  }
}

export type Deed =
  | { readonly does: "says"; readonly said: Said }
  | { readonly does: "captures"; readonly reservation: Row; readonly cents: number }
  | { readonly does: "reverses"; readonly captures: readonly Row[] };

/**
 * By what the books show of a sale that is not captured as it was approved. `isWorthIt`: the rest is to be captured.
 */
export function deedFor(books: Reserved | undefined, isWorthIt: boolean): Deed {
  if (books === undefined) return { does: "says", said: { as: "reversed" } };
  const { reservation, captured, byHand, isGivenBack } = books;
  const rest = cents(reservation.amount) - captured;
  const [first, ...others] = byHand;
  if (first !== undefined && others.length === 0 && first.left === rest)
    return { does: "says", said: { as: "approved", gatewayId: first.row.id } };
  // A booking by hand may meet a fault too, and is taken back then and made anew.
  if (byHand.length > 0) return { does: "reverses", captures: byHand.map(({ row }) => row) };
  return isWorthIt && rest > 0 && !isGivenBack
    ? { does: "captures", reservation, cents: rest }
    : { does: "says", said: { as: "reversed" } };
}

/**
 * What he captured of a sale that was voided before he could say so goes back by hand, too. Resolves with how much had
 * to.
 */
async function undo({ shop, words, captured }: Desk): Promise<number> {
  const office = openBackOffice(shop.gateway);
  const open = new Set((await shop.open()).filter(isForPeople).map(({ id }) => id));
  let count = 0;
  for (const { id, reference } of captured.values()) {
    if (words.has(id) || open.has(id)) continue;
    for (const { row } of (await office.lookUp(reference))?.byHand ?? []) {
      await office.reverse(row);
      count += 1;
    }
  }
  return count;
}
