import type { Operation } from "../../src/payment/fact/operation.ts";
import { hasHeard } from "../../src/payment/follow-up/follow-up.ts";
import { followUpOf, voidTargetsOf } from "../../src/payment/follow-up/totals.ts";
import { cancellation, canJudgeSignature } from "../../src/payment/machine/decide.ts";
import type { Owed } from "../../src/payment/machine/owed.ts";
import type { Payment } from "../../src/payment/state/payment.ts";
import { type DeviceOutcome, deviceOutcomes, whileHolding } from "./device.ts";
import type { Ledger } from "./ledger.ts";
import { customerOutcomes, sights } from "./linking.ts";
import { words } from "./operator.ts";
import { postOutcomes } from "./posting.ts";
import { decisions, landings, queryOutcomes } from "./querying.ts";
import { type Begun, isQuiet, marked, put, restarted, type System, TICK_MS } from "./system.ts";

/** One step that the system may take from where it is. */
export interface Move {
  readonly name: string;
  /** 0: what is to be expected; 1: a misfortune. */
  readonly cost: 0 | 1;
  readonly go: () => System;
}

/** A request is answered, or given up, by this much after its deadline. */
const DEADLINE_SLACK_MS = 1000;
const HOUR_MS = 3_600_000;

/**
 * Everything that may happen next. What mends comes first: taking the first move without cost again and again brings
 * every payment to rest.
 */
export function movesOf(system: System): readonly Move[] {
  const next: System = { ...system, now: system.now + TICK_MS, news: [] };
  const effects = next.parties.flatMap(({ begun }, party) =>
    callOffFirst(begun).flatMap((one) => movesOfEffect(next, party, one)),
  );
  const people = next.parties.flatMap(({ payment, begun }, party) =>
    begun.length === 0 ? [] : movesOfPeople(next, party, payment),
  );
  const late = landings(next.ledger, next.now).map(({ row, ledger }) => ({
    name: `the gateway: the ${row.type} that was on its way arrives`,
    cost: 1 as const,
    go: () => ({ ...next, ledger }),
  }));
  const since = decisions(next.ledger).map(({ ledger }) => ({
    name: "the gateway: the RV that was pending is carried out",
    cost: 0 as const,
    go: () => ({ ...next, ledger }),
  }));
  return [
    ...effects,
    ...people,
    ...timeMoves(next, effects),
    ...late,
    ...since,
    ...crashes(next),
    ...operatorMoves(next),
  ];
}

/** Nothing may wait for a person alone, who need not come: his words are misfortunes too. */
function operatorMoves(system: System): readonly Move[] {
  return system.parties.flatMap((_, party) =>
    words(system, party).map(({ name, ledger, settled, what }) => ({
      name: `operator: ${name}`,
      cost: 1,
      go: () => put({ ...system, ledger, settled }, party, what),
    })),
  );
}

function callOffFirst(begun: readonly Begun[]): readonly Begun[] {
  return begun.some(({ effect }) => effect.do === "call-off")
    ? [...begun].sort((a, b) => Number(b.effect.do === "call-off") - Number(a.effect.do === "call-off"))
    : begun;
}

function movesOfEffect(system: System, party: number, { effect, at, since }: Begun): readonly Move[] {
  const payment = system.parties[party]?.payment;
  if (at === "done" || payment === undefined) return [];
  switch (effect.do) {
    case "lease":
    case "collect":
    case "ask-pin":
    case "call-off":
    case "complete":
    case "release":
      return (deviceOutcomes(effect, payment) ?? []).map((outcome) =>
        deviceMove(system, party, outcome, effect.do === "lease" ? undefined : effect.key),
      );
    case "post":
      return posting(system, party, effect.operation, since, effect.key);
    case "search":
      return effect.at > system.now ? [] : searching(system, party, effect, payment);
    case "watch":
      return sights(payment, system.ledger, system.now).map(({ name, cost, sight }) => ({
        name: `look at the link: ${name}`,
        cost,
        go: () => put(system, party, { on: "link-seen", sight }),
      }));
    case "wake":
      return effect.at > system.now
        ? []
        : [
            {
              name: "time: a limit is reached",
              cost: 0,
              go: () => put(marked(system, party, effect.key, "done"), party, { on: "woken" }),
            },
          ];
    case "await-original":
      return awaiting(system, party, effect.key, at === "asked");
    case "tell-originals":
      return telling(system, party, effect.key);
  }
}

function deviceMove(system: System, party: number, { name, cost, what }: DeviceOutcome, key: string | undefined): Move {
  const isPresented = what.on === "card" || what.on === "pin";
  const go = (): System => {
    const state = key === undefined ? system : marked(system, party, key, "done");
    const { terminal } = system.parties[party]?.payment ?? { terminal: { at: "none" } as const };
    const isWord = what.on === "finished" && terminal.at === "completing" && terminal.issuer.verdict === "approved";
    const word = isWord
      ? what.verdict === "declined"
        ? ("refused" as const)
        : agreedBy(system, party, what.verdict)
      : state.cardWord;
    return put({ ...state, cardWord: word, presented: state.presented + (isPresented ? 1 : 0) }, party, what);
  };
  return { name: `terminal: ${name}`, cost, go };
}

function agreedBy(system: System, party: number, verdict: "approved" | "read"): System["cardWord"] {
  const isChip = system.parties[party]?.payment.card?.entryMode === "ICC";
  return verdict === "approved" || !isChip ? "agreed" : "refused";
}

function posting(system: System, party: number, operation: Operation, since: number, key: string): readonly Move[] {
  const card = system.parties[party]?.payment.card;
  const { merchantTransactionId } = operation;
  const presented = { tapped: card?.entryMode === "NFC_ICC", pinned: card?.pinEntered === true };
  return postOutcomes(operation, system.ledger, since, presented).map(({ name, cost, ledger, answer }) => ({
    name: `gateway, ${operation.paymentType}: ${name}`,
    cost,
    go: () =>
      put({ ...marked(system, party, key, "done"), ledger }, party, { on: "answer", merchantTransactionId, answer }),
  }));
}

function searching(
  system: System,
  party: number,
  effect: Extract<Owed, { do: "search" }>,
  payment: Payment,
): readonly Move[] {
  const { merchantTransactionId, original, key } = effect;
  return queryOutcomes(original, system.ledger, system.now, payment.terminal.at === "holding").map(
    ({ name, cost, ledger, result }) => ({
      name: `query for ${merchantTransactionId}: ${name}`,
      cost,
      go: () =>
        put({ ...marked(system, party, key, "done"), ledger }, party, {
          on: "searched",
          merchantTransactionId,
          result,
        }),
    }),
  );
}

/**
 * In two halves, as src/engine/originals does it: the original is asked to stop its capture, and the void hears what
 * there is to void.
 */
function awaiting(system: System, party: number, key: string, isAsked: boolean): readonly Move[] {
  const by = system.parties[party]?.payment.accepted.id ?? "";
  const original = system.parties[1]?.payment;
  if (original === undefined) return [];
  if (!isAsked)
    return [
      {
        name: "the original is asked to stop its capture",
        cost: 0,
        go: () => marked(put(system, 1, { on: "withdraw-capture", by }), party, key, "asked"),
      },
    ];
  const targets = voidTargetsOf(original, by);
  if (targets === undefined) return [];
  return [
    {
      name: "the void hears what there is to void",
      cost: 0,
      go: () => put(marked(system, party, key, "done"), party, { on: "original-known", targets }),
    },
  ];
}

function telling(system: System, party: number, key: string): readonly Move[] {
  const payment = system.parties[party]?.payment;
  const original = system.parties[1]?.payment;
  if (payment === undefined || original === undefined) return [];
  const by = followUpOf(payment);
  if (!hasHeard(original, by))
    return [{ name: "the original hears the end", cost: 0, go: () => put(system, 1, { on: "followed", by }) }];
  return [
    {
      name: "the original has heard the end",
      cost: 0,
      go: () => put(marked(system, party, key, "done"), party, { on: "original-told" }),
    },
  ];
}

function movesOfPeople(system: System, party: number, payment: Payment): readonly Move[] {
  const signature = (accepted: boolean): Move => ({
    name: `register: the signature is ${accepted ? "right" : "wrong"}`,
    cost: accepted ? 0 : 1,
    go: () => put(system, party, { on: "signature", accepted }),
  });
  const customer = customerOutcomes(payment, system.ledger, system.now).map(({ name, cost, ledger }) => ({
    name: `customer: ${name}`,
    cost,
    go: () => ({ ...system, ledger }),
  }));
  const canCancel = payment.cancelAskedAt === undefined && cancellation(payment) === "accepted";
  return [
    ...(canJudgeSignature(payment) ? [signature(true), signature(false)] : []),
    ...(canCancel
      ? [{ name: "register: cancel", cost: 1, go: () => put(system, party, { on: "cancel" }) } as const]
      : []),
    ...customer,
    ...whileHolding(payment).map((outcome) => deviceMove(system, party, outcome, undefined)),
  ];
}

/** Time moves to the next limit, or by an hour, so that every limit in it is late. A sent request ends by its deadline. */
function timeMoves(system: System, others: readonly Move[]): readonly Move[] {
  const open = system.parties.flatMap(({ begun }) => begun.filter(({ at }) => at === "open"));
  const times = open.flatMap(({ effect }) =>
    (effect.do === "search" || effect.do === "wake") && effect.at > system.now ? [effect.at] : [],
  );
  if (times.length === 0) return [];
  const deadline = open.reduce(
    (least, { effect, since }) =>
      effect.do === "post" ? Math.min(least, since + effect.deadlineMs + DEADLINE_SLACK_MS) : least,
    Infinity,
  );
  const cost = others.some((move) => move.cost === 0) ? 1 : 0;
  const to = (name: string, now: number, dear: 0 | 1): readonly Move[] =>
    now > deadline ? [] : [{ name, cost: dear, go: () => ({ ...system, now }) }];
  return [
    ...to("time: goes on to the next limit", Math.min(...times), cost),
    ...to("time: an hour goes by at once", system.now + HOUR_MS, 1),
  ];
}

const FOUR_DAYS_MS = 96 * HOUR_MS;

/** A clock that was behind: all that has happened seems to be four days older, and is not. */
function putRight(system: System): System {
  return {
    ...system,
    now: system.now + FOUR_DAYS_MS,
    ledger: system.ledger.map((row) => ({ ...row, at: row.at + FOUR_DAYS_MS })),
  };
}

/** The process is killed. What was on the wire then was lost, was carried out, or is on its way yet. */
function crashes(system: System): readonly Move[] {
  if (isQuiet(system)) return [];
  const posts = system.parties.flatMap(({ begun }) =>
    begun.flatMap(({ effect, at }) => (effect.do === "post" && at !== "done" ? [effect.operation] : [])),
  );
  const crash = (name: string, ledger: Ledger): Move => ({
    name: `the process is killed${name}`,
    cost: 1,
    go: () => restarted({ ...system, ledger }),
  });
  if (posts.length === 0)
    return [
      crash("", system.ledger),
      {
        name: "the process is killed, and its clock put right by four days",
        cost: 1,
        go: () => restarted(putRight(system)),
      },
    ];
  const after = (outcome: string): Ledger =>
    posts.reduce((ledger, operation) => {
      const outcomes = postOutcomes(operation, ledger, system.now, { tapped: false, pinned: false });
      return (
        (outcomes.find(({ name }) => name.startsWith(outcome)) ?? outcomes.find(({ name }) => name === "approved"))
          ?.ledger ?? ledger
      );
    }, system.ledger);
  return [
    crash(", and its request never arrived", system.ledger),
    crash(", and its request was carried out", after("approved")),
    crash(", and its request is still on its way", after("no answer, still")),
  ];
}
