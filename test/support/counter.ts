import { createDeletions } from "../../src/engine/gateway/deletions.ts";
import type {
  Alarm,
  DeletionBook,
  Gateway,
  GatewayOrder,
  GatewaySearch,
  Journal,
  Json,
  NameBegins,
} from "../../src/engine/ports.ts";
import { createPayments, type PaymentsDesk } from "../../src/engine/service/payment-service.ts";
import type { Appended } from "../../src/engine/shell/appended.ts";
import { createEngine, type Engine } from "../../src/engine/shell/engine.ts";
import { createMemoryJournal, type MemoryJournal } from "../../src/journal/memory-journal.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import type { Answer, LinkSight, SearchResult } from "../../src/payment/fact/answer.ts";
import type { StartRequest } from "../../src/payment/fact/request.ts";
import { NO_TERMINAL } from "../../src/payment/state/card-present.ts";
import type { Caller } from "../../src/register/ports.ts";
import type { TerminalStatus } from "../../src/terminal/status.ts";
import { type BenchTerminal, benchTerminal, type Script } from "./bench-terminal.ts";
import { approval, sale } from "./sale.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

/**
 * The engine with its real journal in memory, a scripted terminal and a scripted gateway, on a clock that the test
 * moves.
 */
export interface Counter {
  readonly clock: VirtualClock;
  readonly journal: MemoryJournal;
  readonly terminal: BenchTerminal;
  readonly engine: Engine;
  readonly payments: PaymentsDesk;
  readonly posted: GatewayOrder[];
  readonly alarms: string[];
  /** The same alarms whole, but for those of deletions. */
  readonly raised: Alarm[];
  readonly broken: unknown[];
  /** What the journal has taken, in its order. */
  readonly appended: Appended[];
  /** Registers that have heard of more than the journal holds: "till 12 proven". */
  readonly pastMissing: string[];
}

export interface CounterOptions {
  readonly script?: Script;
  readonly answer?: (order: GatewayOrder) => Answer;
  readonly search?: (search: GatewaySearch) => SearchResult;
  /** How the link of that id stands. */
  readonly look?: (link: string) => LinkSight;
  readonly hostMs?: number;
  /** Its terminal has not been connected yet. */
  readonly connecting?: true;
  /** Where its terminal can something else than read chips. */
  readonly can?: Partial<TerminalStatus["capabilities"]>;
  /** Its channel takes one capture a reservation. */
  readonly oneCapture?: true;
  /** Its terminal stands in the configuration no more. */
  readonly terminalGone?: true;
  readonly journal?: (journal: MemoryJournal) => Journal;
  /** How the names of requests begin. */
  readonly nameBegins?: NameBegins;
}

export const till: Caller = { register: "till", all: false };
/** The same register with a token that reaches bookings of others too. */
export const tillOfAnyBooking: Caller = { ...till, foreign: true };

export function startRequest(reference: string, changes: Partial<StartRequest> = {}): StartRequest {
  const { amount, currency, terminal } = sale;
  const content = {
    reference,
    type: "SALE" as const,
    terminal,
    currency,
    amount,
    allowPartialApproval: true,
    queue: false,
    parameters: {},
  };
  return { ...content, fingerprint: JSON.stringify({ ...content, ...changes }), ...changes };
}

export function openCounter(
  options: CounterOptions = {},
  from?: { readonly clock: VirtualClock; readonly journal: MemoryJournal },
): Counter {
  const clock = from?.clock ?? createVirtualClock(Date.UTC(2026, 0, 15));
  const journal = from?.journal ?? createMemoryJournal({ clock, appendDelayMs: 1 });
  const terminal = benchTerminal(clock, options.script, options.can, options.connecting ? "offline" : "ready");
  const posted: GatewayOrder[] = [];
  const alarms: string[] = [];
  const raised: Alarm[] = [];
  const appended: Appended[] = [];
  const broken: unknown[] = [];
  const pastMissing: string[] = [];
  const later = <T>(ms: number, value: () => T): Promise<T> =>
    new Promise((resolve) => clock.after(ms, () => resolve(value())));
  const gateway: Gateway = {
    reaches: () => true,
    warm: () => undefined,
    post: (order) => {
      posted.push(order);
      return later(options.hostMs ?? 50, () =>
        (options.answer ?? ((one) => approval(one.operation.amount ?? one.operation.reverses ?? 1234)))(order),
      );
    },
    look: ({ link }) => later(20, () => (options.look ?? (() => ({ is: "open", opened: false }) as const))(link)),
    search: (search) => later(20, () => (options.search ?? (() => ({ is: "absent" }) as const))(search)),
  };
  const used = options.journal?.(journal) ?? journal;
  const random = seededRandom(journal.waiting() + clock.now());
  const engine = createEngine({
    ...{
      journal: used,
      gateway,
      terminals: terminal,
      clock,
      random,
      removalMs: 30_000,
      nameBegins: options.nameBegins,
      appended: (step: Appended) => void appended.push(step),
    },
    localTime: () => ({ date: "260115", time: "120000" }),
    alarms: {
      raise: (one) => {
        alarms.push(one.what);
        raised.push(one);
      },
    },
    broken: (_payment, cause) => void broken.push(cause),
  });
  const channel = { channel: sale.channel, ...(options.oneCapture && { oneCapture: true }) };
  const settings = new Map([
    [options.terminalGone ? "till-2" : "till-1", { ...channel, device: sale.device }],
    [NO_TERMINAL, { ...channel, device: { terminalId: "", pinEntry: false } }],
  ]);
  const { hostWaitMs: _, ...rules } = sale.rules;
  const alarm = { raise: ({ what }: { readonly what: string }) => void alarms.push(what) };
  const deletions = createDeletions({
    ...{
      gateway,
      clock,
      random,
      budget: engine.budget,
      alarms: alarm,
      hostAnswerMs: rules.hostAnswerMs,
      channels: [sale.channel],
    },
    book: deletionsInMemory(),
  });
  const merchant = { name: "Corner Shop", address: ["Marktplatz 1"] };
  const payments = createPayments({
    engine,
    journal: used,
    gateway,
    terminals: terminal,
    clock,
    random,
    settings,
    deletions,
    rules,
    merchant,
    nameBegins: options.nameBegins,
    reidentify: async () => true,
    pastMissing: ({ register, cursor, isProven }) =>
      void pastMissing.push(`${register} ${cursor} ${isProven ? "proven" : "not proven"}`),
    broken: (_payment, cause) => void broken.push(cause),
    startOfDay: (at) => at - (at % 86_400_000),
    wallTime: () => ({ date: "2026-01-15", time: "12:00:00" }),
  });
  return { clock, journal, terminal, engine, payments, posted, alarms, raised, broken, appended, pastMissing };
}

/** A book of deletions that is gone with the test. */
function deletionsInMemory(): DeletionBook {
  const jobs = new Map<string, { readonly open: boolean; readonly job: Json }>();
  const keyOf = (register: string, reference: string): string => JSON.stringify([register, reference]);
  return {
    keep: async ({ register, reference, ...entry }) => void jobs.set(keyOf(register, reference), entry),
    find: async (register, reference) => jobs.get(keyOf(register, reference))?.job,
    open: async () => [...jobs.values()].filter(({ open }) => open).map(({ job }) => job),
  };
}
