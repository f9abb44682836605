import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import type { Clock } from "../../../src/kit/clock.ts";
import { toHex } from "../../../src/kit/hex.ts";
import type { Random } from "../../../src/kit/random.ts";
import { type SeededRandom, seededRandom } from "../../../src/kit/seeded-random.ts";
import { recordStories, type Stories } from "./record.ts";
import type { Retold, Story } from "./story.ts";

export interface JournalOrder {
  readonly dataDir: string;
  readonly payments: number;
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Called after each group of payments. */
  progress(payments: number): void;
}

/** Who sells: the first of each sell alone on the busy day. */
export const REGISTERS = ["register-1", "register-2", "register-3", "register-4"] as const;
const TERMINALS = ["till-1", "till-2", "till-3", "till-4", "till-5", "till-6"] as const;
/** Payments of the newest day, all of them the first register's. */
export const BUSY_DAY = 1_000;
/** Payments of every day before it. */
const USUAL_DAY = 300;
const DAY_MS = 86_400_000;
const OPENS_MS = 8 * 3_600_000;
const OPEN_MS = 12 * 3_600_000;
/** Payments that are written at once. */
const GROUP = 2_000;
/** One of so many sales is refunded, and one is declined. */
const REFUNDED = 33;
const DECLINED = 50;

/** Begins a journal with so many payments, all of them closed; its newest day is yesterday (UTC). */
export async function generateJournal(order: JournalOrder): Promise<void> {
  const stories = await recordStories();
  const journal = await openJournal({ ...order, environment: "test" });
  if ((await journal.lastNumber()) > 0) throw new RangeError(`${order.dataDir} already has payments`);
  const random = seededRandom(order.seed);
  const places = placesOf(order.payments, order.clock.now());
  let sequenceNumber = 1;
  let appends: Promise<unknown>[] = [];
  for (let n = 0; n < order.payments; ) {
    const story = storyAt(n, order.payments, stories);
    const { register, terminal, at } = places(n);
    const references = Array.from({ length: story.payments }, (_, of) => `R-${n + of}`);
    const told = {
      ...{ at, register, terminal, references, sequenceNumber },
      amount: 100 + random.below(20_000),
      digits: (recorded: string) => newDigits(recorded, random),
    } satisfies Retold;
    for (const { facts, at: when, row } of story.retell(told)) appends.push(journal.append(facts, when, row));
    sequenceNumber += story.attempts;
    n += story.payments;
    if (appends.length < GROUP && n < order.payments) continue;
    await Promise.all(appends);
    appends = [];
    order.progress(n);
  }
  await journal.close();
}

function storyAt(n: number, payments: number, stories: Stories): Story {
  if (n % DECLINED === DECLINED - 1) return stories.declined;
  return n % REFUNDED === REFUNDED - 1 && n + 1 < payments ? stories.refunded : stories.sale;
}

interface Place {
  readonly register: string;
  readonly terminal: string;
  readonly at: number;
}

/** Where and when the n-th payment is made: later than the one before it. */
export function placesOf(payments: number, now: number): (n: number) => Place {
  const today = now - (now % DAY_MS);
  const usual = Math.max(0, payments - BUSY_DAY);
  const daysBefore = Math.ceil(usual / USUAL_DAY);
  return (n) => {
    if (n >= usual) {
      const at = today - DAY_MS + OPENS_MS + Math.floor(((n - usual) * OPEN_MS) / BUSY_DAY);
      return { register: REGISTERS[0], terminal: TERMINALS[0], at };
    }
    const day = Math.floor(n / USUAL_DAY);
    const at = today - (daysBefore + 1 - day) * DAY_MS + OPENS_MS + Math.floor(((n % USUAL_DAY) * OPEN_MS) / USUAL_DAY);
    return {
      register: REGISTERS[n % REGISTERS.length] ?? REGISTERS[0],
      terminal: TERMINALS[n % TERMINALS.length] ?? TERMINALS[0],
      at,
    };
  };
}

/** Digits of the same kind and length; the prefix of an identifier stays. */
function newDigits(recorded: string, random: SeededRandom): string {
  const [, prefix = "", digits = ""] = /^(pay_)?(.*)$/.exec(recorded) ?? [];
  const drawn = toHex(random.bytes(Math.ceil(digits.length / 2))).slice(0, digits.length);
  if (/^[0-9]+$/.test(digits)) return drawn.replaceAll(/[A-F]/g, (letter) => String(letter.charCodeAt(0) % 10));
  return prefix + (digits === digits.toUpperCase() ? drawn : drawn.toLowerCase());
}
