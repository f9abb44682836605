import { createLeases, type Leases } from "../../src/engine/terminal/lease.ts";
import { admit, type BookEntry } from "../../src/payment/admission/admit.ts";
import type { StartRequest } from "../../src/payment/fact/request.ts";

/**
 * Three payments at one terminal, in every order of starts, decisions, cancellations and releases: who may begin, who
 * waits, who has the terminal. Held to truths 5
 * and 6, which are about payments side by side; the other kinds walk through one payment alone.
 */
export interface CounterWalk {
  readonly states: number;
  readonly transitions: number;
  readonly violations: readonly { readonly truth: string; readonly story: readonly string[] }[];
}

const REQUESTS: readonly Pick<StartRequest, "reference" | "order" | "queue" | "despite">[] = [
  { reference: "R-1", order: "O-1", queue: true },
  { reference: "R-2", order: "O-1", queue: true },
  { reference: "R-3", order: "O-1", queue: true, despite: "R-1" },
  { reference: "R-4", order: "O-2", queue: true },
  { reference: "R-5", order: undefined, queue: false },
];
const MOVES = ["start", "decide", "leave"] as const;
const TERMINAL = "till-1";
const DEPTH = 9;

/** A payment as this walk sees it; `decided` payments may still hold the terminal. */
interface Standing {
  readonly stage: "absent" | "waiting" | "holding" | "gone";
  readonly decided: boolean;
}

interface Counter {
  readonly leases: Leases;
  readonly payments: Standing[];
  truth: string | undefined;
}

function entryOf(at: number): BookEntry | undefined {
  const request = REQUESTS[at];
  return (
    request && {
      reference: request.reference,
      register: "till",
      terminal: TERMINAL,
      order: request.order,
      amount: 100 + at,
      currency: "EUR",
    }
  );
}

function put(counter: Counter, at: number, standing: Standing): void {
  counter.payments[at] = standing;
  const holding = counter.payments.filter(({ stage }) => stage === "holding").length;
  if (holding > 1) counter.truth = "two payments have the terminal (truth 5)";
}

function start(counter: Counter, at: number): void {
  const chosen = REQUESTS[at];
  if (chosen === undefined || counter.payments[at]?.stage !== "absent") return;
  const undecided = counter.payments.flatMap(({ stage, decided }, other) =>
    stage !== "absent" && !decided ? [other] : [],
  );
  const book = undecided.flatMap((other) => entryOf(other) ?? []);
  const request = {
    ...chosen,
    type: "SALE" as const,
    terminal: TERMINAL,
    currency: "EUR",
    amount: 100 + at,
    allowPartialApproval: false,
    parameters: {},
    fingerprint: "",
  };
  const holder = counter.leases.holder(TERMINAL);
  const heldBy = holder === undefined ? undefined : { reference: holder, register: "till" };
  const admitted = admit(request, "till", { state: "ready", reason: undefined, heldBy, accepts: ["chip"] }, book);
  if (!admitted.ok) return;
  const sameOrder = undecided.filter((other) => chosen.order !== undefined && REQUESTS[other]?.order === chosen.order);
  if (sameOrder.some((other) => REQUESTS[other]?.reference !== chosen.despite))
    counter.truth = "two payments of one order are undecided (truth 6)";
  if (holder !== undefined && !chosen.queue)
    counter.truth = "a payment that does not wait was taken for a terminal in use (truth 5)";
  put(counter, at, { stage: "waiting", decided: false });
  counter.leases.ask(TERMINAL, chosen.reference, () =>
    put(counter, at, { stage: "holding", decided: counter.payments[at]?.decided ?? false }),
  );
}

function take(counter: Counter, move: (typeof MOVES)[number], at: number): void {
  const payment = counter.payments[at];
  const reference = REQUESTS[at]?.reference;
  if (payment === undefined || reference === undefined) return;
  if (move === "start") start(counter, at);
  else if (payment.stage === "absent" || payment.stage === "gone") return;
  else if (move === "decide") put(counter, at, { ...payment, decided: true });
  else {
    put(counter, at, { stage: "gone", decided: true });
    counter.leases.giveBack(TERMINAL, reference);
  }
}

type Path = readonly { readonly move: (typeof MOVES)[number]; readonly at: number }[];

/** Leases are not plain data, so that each state is made again from its path. */
function play(path: Path): Counter {
  const payments = REQUESTS.map((): Standing => ({ stage: "absent", decided: false }));
  const counter: Counter = { leases: createLeases(), payments, truth: undefined };
  for (const { move, at } of path) take(counter, move, at);
  return counter;
}

export function walkCounter(): CounterWalk {
  const seen = new Set<string>();
  const violations: CounterWalk["violations"][number][] = [];
  let transitions = 0;
  let layer: Path[] = [[]];
  for (let depth = 0; depth < DEPTH && violations.length === 0; depth += 1) {
    const next: Path[] = [];
    for (const path of layer) {
      for (const step of MOVES.flatMap((move) => REQUESTS.map((_, at) => ({ move, at })))) {
        const longer = [...path, step];
        const { payments, leases, truth } = play(longer);
        transitions += 1;
        const name = `${payments.map(({ stage, decided }) => `${stage}${decided}`).join()} ${leases.holder(TERMINAL)} ${leases.waiting(TERMINAL)}`;
        if (truth !== undefined)
          violations.push({ truth, story: longer.map(({ move, at }) => `${move} ${REQUESTS[at]?.reference}`) });
        if (seen.has(name)) continue;
        seen.add(name);
        next.push(longer);
      }
    }
    layer = next;
  }
  return { states: seen.size, transitions, violations: violations.slice(0, 3) };
}
