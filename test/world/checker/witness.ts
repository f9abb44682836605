import { admittedTooMuch, lastIsSaid, refusedForNothing } from "./admission.ts";
import { repetition } from "./books.ts";
import { createDeletionWitness, type DeletionWitness } from "./deletions.ts";
import {
  type Asked,
  type Evidence,
  newEvidence,
  type Post,
  type Row,
  type Told,
  type Violation,
  type Word,
} from "./evidence.ts";
import type { Rule } from "./rule.ts";

/** The rules of a payment kind: those that hold after every step, and those that hold in the end. */
export interface Judges {
  readonly always: readonly Rule[];
  readonly end: readonly Rule[];
}

/** Hears everything that can be seen from outside the product, and judges it after every step and in the end. */
export interface Witness {
  asked(asked: Asked): void;
  /** A start leaves for the bridge. */
  sending(reference: string): void;
  /** A start that was sent at `sentAt` was answered. `created`: it made the payment. */
  started(reference: string, told: Told, created: boolean, sentAt: number): void;
  refused(reference: string, code: string): void;
  /** The bridge is another process from now on. */
  restarted(): void;
  /** The journal takes nothing for a while. */
  diskFull(): void;
  /** Whether events are heard as they happen: else what is known of other payments may be old. */
  follows(isLive: boolean): void;
  /** A register heard of its payment; `cursor` where it came as an event. */
  told(reference: string, told: Told, cursor?: number): void;
  /** A register's cancel was answered with `accepted`. */
  calledOff(reference: string): void;
  /** The customer's receipt, its values by their keys. */
  printed(reference: string, receipt: ReadonlyMap<string, string>): void;
  /** The cashier takes the signature for the cardholder's, and says so just now. */
  signed(reference: string): void;
  posted(reference: string | undefined, post: Post): void;
  booked(reference: string | undefined, row: Row): void;
  said(word: Word): void;
  /** A terminal is told to ask for a card. */
  cardAskedFor(terminal: string, amount: number, currency: string, decimals: number): void;
  /** Something that no rule covers: the process broke, a till never got through. */
  broken(rule: string, reference: string, text: string): void;
  readonly deletions: Pick<DeletionWitness, "asked" | "told" | "isTold" | "all">;
  /** Judges whatever something was heard of since the last call. */
  step(): void;
  end(): void;
  evidence(): readonly Evidence[];
  violations(): readonly Violation[];
}

/**
 * States in their order, as far as it is one (contract, Payment): a card may be asked for again, and what is resolved
 * may still be reversed.
 */
const FIRST_STATES = ["CREATED", "QUEUED"];

/**
 * States in which a payment has its terminal: a card is asked for, or waits for an answer. One that is COMPLETING may
 * wait for a signature alone.
 */
const WITH_TERMINAL = ["AWAITING_CARD", "AUTHORIZING"];

export function createWitness(on: {
  readonly now: () => number;
  readonly judgesOf: (asked: Asked) => Judges;
  readonly found: (violation: Violation) => void;
  /** The gateway takes one capture of a reservation; absent: several. */
  readonly oneCapture?: boolean;
  /** A register has shown the link of that payment. */
  readonly shown?: (reference: string, url: string) => void;
}): Witness {
  const all = new Map<string, Evidence>();
  const cursors = new Map<string, number>();
  const stirred = new Set<Evidence>();
  const found: Violation[] = [];
  let bornAt = 0;
  let isLive = false;
  const broken = (rule: string, reference: string, text: string): void => {
    if (found.some((known) => known.rule === rule && known.reference === reference)) return;
    const violation = { rule, reference, at: on.now(), text };
    found.push(violation);
    on.found(violation);
  };
  const deletions = createDeletionWitness({ payments: () => [...all.values()], broken });
  const evidenceOf = (reference: string): Evidence | undefined => {
    const evidence = all.get(reference);
    if (evidence !== undefined) stirred.add(evidence);
    return evidence;
  };
  /** Each card is asked about an amount of its own. */
  const withAmount = (amount: number): Evidence | undefined =>
    [...all.values()].findLast(({ asked }) => asked.of === undefined && asked.amount === amount);
  const delayAll = (): void => {
    for (const evidence of all.values()) evidence.isDelayed = true;
  };
  const judge = (evidence: Evidence, rules: readonly Rule[]): void => {
    for (const { rule, broken: problemOf } of rules) {
      const problem = problemOf(evidence, on.now());
      if (problem !== undefined) broken(rule, evidence.asked.reference, problem);
    }
  };
  /** Another payment that was known before this one was asked for, and is in its way. */
  const competitor = ({ asked, family }: Evidence, sentAt: number): Evidence | undefined =>
    [...all.values()].find((other) => {
      // What follows a payment needs no card; there is one at a time about the same booking.
      if (
        asked.of === undefined ? other.asked.of !== undefined : other.asked.of === undefined || other.family !== family
      )
        return false;
      if (
        other.asked.reference === asked.reference ||
        other.acceptedAt === undefined ||
        other.acceptedAt >= sentAt ||
        other.decision !== undefined
      )
        return false;
      // A new process has sent every terminal to idle, and ends what was on it as soon as its journal takes a word.
      if (asked.of !== undefined) return true;
      // Once the card of a refund is done it waits for the gateway alone, and its terminal serves the next customer.
      const isDoneWithCard = other.asked.does === "REFUND" && other.told?.state === "RESOLVING";
      const sameTerminal =
        asked.by === undefined &&
        !isDoneWithCard &&
        other.asked.terminal === asked.terminal &&
        !asked.queue &&
        other.acceptedAt >= bornAt;
      return (
        sameTerminal ||
        (asked.order !== undefined && other.asked.order === asked.order && other.asked.register === asked.register)
      );
    });
  /** Another payment whose card is being read or answered on the terminal on which this one's is. */
  const alsoOnTerminal = ({ asked }: Evidence, told: Told): Evidence | undefined => {
    // What follows another payment needs no terminal, and neither does a stored card or a link.
    if (!isLive || asked.of !== undefined || asked.by !== undefined || !WITH_TERMINAL.includes(told.state))
      return undefined;
    return [...all.values()].find(
      ({ asked: { terminal, reference, of }, event }) =>
        of === undefined &&
        // What a dead process told last is put right by its successor as soon as the journal takes a word.
        terminal === asked.terminal &&
        reference !== asked.reference &&
        event !== undefined &&
        event.at >= bornAt &&
        WITH_TERMINAL.includes(event.told.state),
    );
  };
  const hear = (evidence: Evidence, told: Told): void => {
    for (const problem of contradictions(evidence, told)) broken(problem.rule, evidence.asked.reference, problem.text);
    evidence.ids.add(told.id);
    if (told.link !== undefined) on.shown?.(evidence.asked.reference, told.link);
    if (evidence.final === undefined || told.state === "FINAL") evidence.told = told;
    if (told.decision !== undefined) evidence.decision ??= { says: told.decision, at: on.now() };
    if (told.state === "FINAL") evidence.final ??= { told, at: on.now() };
  };
  /**
   * Every event carries a higher cursor than those before it; one of the prompt alone repeats the newest of its
   * payment.
   */
  const follow = (evidence: Evidence, told: Told, cursor: number): void => {
    const { register, reference } = evidence.asked;
    for (const problem of disorder(evidence, told)) broken(problem.rule, reference, problem.text);
    const own = evidence.event?.cursor;
    evidence.event = { told, cursor, at: on.now() };
    const before = cursors.get(register) ?? 0;
    if (cursor <= before && cursor !== own)
      broken("events-in-order", reference, `an event with cursor ${cursor} came after ${before}`);
    cursors.set(register, Math.max(before, cursor));
  };
  return {
    asked: (asked) => void all.set(asked.reference, newEvidence(asked, all.get(asked.of ?? "")?.family)),
    sending: (reference) => {
      const evidence = all.get(reference);
      if (evidence !== undefined) evidence.sentAt ??= on.now();
    },
    started: (reference, told, created, sentAt) => {
      const evidence = evidenceOf(reference);
      if (evidence === undefined) return;
      if (created) evidence.sentAt = sentAt;
      if (created && evidence.created) broken("one-payment-for-a-reference", reference, "was created twice");
      const other = created && isLive ? competitor(evidence, sentAt) : undefined;
      if (other !== undefined)
        broken("one-at-a-time", reference, `was accepted while ${other.asked.reference} was undecided`);
      const tooMuch = created ? admittedTooMuch(evidence, on.oneCapture === true) : undefined;
      if (tooMuch !== undefined) broken("follow-up-fits", reference, tooMuch);
      evidence.created ||= created;
      evidence.acceptedAt ??= on.now();
      hear(evidence, told);
    },
    restarted: () => {
      bornAt = on.now();
      delayAll();
    },
    diskFull: () => delayAll(),
    follows: (live) => {
      isLive = live;
      if (!live) delayAll();
    },
    refused: (reference, code) => {
      const evidence = evidenceOf(reference);
      if (evidence?.acceptedAt !== undefined && code === "not-found")
        broken("accepted-stays", reference, "was accepted, and is not found any more");
      const nothing = evidence === undefined ? undefined : refusedForNothing(evidence, code, on.oneCapture === true);
      if (nothing !== undefined) broken("follow-up-is-let-in", reference, nothing);
    },
    told: (reference, told, cursor) => {
      const evidence = evidenceOf(reference);
      if (evidence === undefined) return;
      if (cursor !== undefined) follow(evidence, told, cursor);
      evidence.acceptedAt ??= on.now();
      const other = cursor === undefined ? undefined : alsoOnTerminal(evidence, told);
      if (other !== undefined)
        broken(
          "one-at-a-time",
          reference,
          `is ${told.state} while ${other.asked.reference} is ${other.told?.state ?? "?"} on the same terminal`,
        );
      hear(evidence, told);
    },
    calledOff: (reference) => {
      const evidence = evidenceOf(reference);
      if (evidence !== undefined) evidence.isCalledOff = true;
    },
    printed: (reference, receipt) => {
      const evidence = evidenceOf(reference);
      if (evidence !== undefined) evidence.receipt = receipt;
    },
    signed: (reference) => {
      const evidence = evidenceOf(reference);
      if (evidence !== undefined) evidence.isSigned = true;
    },
    posted: (reference, post) => {
      if (reference !== undefined && deletions.posted(reference, post)) return;
      const evidence = reference === undefined ? undefined : evidenceOf(reference);
      if (evidence === undefined) {
        broken(
          "posts-are-asked-for",
          reference ?? post.type,
          `${post.type} was posted for no payment that anybody asked for`,
        );
        return;
      }
      evidence.posts.push(post);
      if (evidence.asked.by === "stored-card") evidence.takenUpAt ??= post.sentAt;
      const isKin = evidence.family.some(({ rows }) =>
        rows.some(({ id, registration }) => id === post.of || registration === post.of),
      );
      if (post.of !== undefined && !isKin)
        broken(
          "posts-are-asked-for",
          evidence.asked.reference,
          `${post.type} refers to ${post.of}, which is another payment's`,
        );
      const problem = repetition(post, evidence);
      if (problem !== undefined) broken("never-twice", evidence.asked.reference, problem);
      const last = lastIsSaid(evidence, post, on.oneCapture === true);
      if (last !== undefined) broken("last-capture-is-said", evidence.asked.reference, last);
    },
    booked: (reference, row) => {
      const evidence = reference === undefined ? undefined : evidenceOf(reference);
      if (evidence === undefined)
        broken(
          "posts-are-asked-for",
          reference ?? row.id,
          `the ledger holds ${row.type} ${row.id} that nobody asked for`,
        );
      else {
        // One that waited for its customer is told again once he has decided.
        const known = evidence.rows.findIndex(({ id }) => id === row.id);
        evidence.rows.splice(known < 0 ? evidence.rows.length : known, 1, row);
      }
    },
    cardAskedFor: (terminal, amount, currency, decimals) => {
      const evidence = withAmount(amount);
      if (evidence?.asked.terminal !== terminal) return;
      stirred.add(evidence);
      evidence.takenUpAt ??= on.now();
      evidence.cardAskedIn = `${currency} ${decimals}`;
    },
    said: (word) => {
      const evidence = withAmount(word.amount);
      if (evidence === undefined) return;
      stirred.add(evidence);
      evidence.words.push(word);
    },
    broken,
    deletions,
    step: () => {
      for (const evidence of stirred) judge(evidence, on.judgesOf(evidence.asked).always);
      stirred.clear();
    },
    end: () => {
      deletions.end();
      for (const evidence of all.values())
        judge(evidence, [...on.judgesOf(evidence.asked).always, ...on.judgesOf(evidence.asked).end]);
    },
    evidence: () => [...all.values()],
    violations: () => found,
  };
}

interface Problem {
  readonly rule: string;
  readonly text: string;
}

/** What a payment's register is told must agree with what it was told before. */
function contradictions({ ids, decision, final }: Evidence, told: Told): readonly Problem[] {
  const problems: Problem[] = [];
  if (ids.size > 0 && !ids.has(told.id))
    problems.push({ rule: "one-payment-for-a-reference", text: `is ${told.id} and ${[...ids].join(" and ")}` });
  if (decision !== undefined && told.decision !== undefined && told.decision !== decision.says)
    problems.push({ rule: "decision-stands", text: `was told ${decision.says} and then ${told.decision}` });
  if (final !== undefined && told.state === "FINAL" && fixed(told) !== fixed(final.told))
    problems.push({ rule: "final-stands", text: `FINAL was ${fixed(final.told)} and is ${fixed(told)}` });
  return problems;
}

/** A payment's events come in the order of its states. */
function disorder({ event }: Evidence, told: Told): readonly Problem[] {
  const before = event?.told.state;
  if (before === undefined || before === told.state) return [];
  if (before === "FINAL") return [{ rule: "final-stands", text: `was FINAL and is ${told.state}` }];
  const isBack = FIRST_STATES.includes(told.state) && !(before === "CREATED" && told.state === "QUEUED");
  return isBack ? [{ rule: "events-in-order", text: `was ${before} and is ${told.state} again` }] : [];
}

/** What of a FINAL payment never changes; capture, voidedBy and lateBooking are told later. */
function fixed({ outcome, decision, reason, approvedAmount }: Told): string {
  return [outcome, decision, reason, approvedAmount].join(" ");
}
