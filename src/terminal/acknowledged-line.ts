import { equal } from "../kit/bytes.ts";
import { followedBy, NO_TIMERS, timersOver } from "./laying.ts";

/*
 * A line on which each side acknowledges every good frame with one byte, asks for a bad one again with another, and has one frame of its own outstanding at a time.
 * A value: the same for the host and for a simulated device. What a frame looks like is the protocol's own.
 */

/** What a stream was cut into; noise is left out. */
export type LineItem =
  | { readonly is: "ack" }
  | { readonly is: "nak" }
  /** A frame that arrived spoiled. */
  | { readonly is: "bad" }
  | { readonly is: "frame"; readonly body: Uint8Array };

export interface LineCut {
  readonly items: readonly LineItem[];
  /** The beginning of a frame; bounded whatever arrives. */
  readonly pending: Uint8Array;
}

export interface LineRules {
  /** Takes the next bytes of the stream behind those that were left. Never throws. */
  readonly cut: (pending: Uint8Array, chunk: Uint8Array) => LineCut;
  readonly ack: Uint8Array;
  readonly nak: Uint8Array;
  /** How long an acknowledgement is waited for, in milliseconds, and how often a frame is sent. */
  readonly ackMs: number;
  readonly tries: number;
  /** A frame that does not go on within this time is asked for again. */
  readonly gapMs: number;
  /** A frame that comes again within this time, with none of ours acknowledged between, is a repetition: the other side did not hear our acknowledgement. */
  readonly repeatMs: number;
  /** Whether a body can only be the answer to a frame of ours: then that one has arrived, whatever became of its acknowledgement. */
  readonly answers: (sent: Uint8Array, body: Uint8Array) => boolean;
}

export interface LineState {
  readonly pending: Uint8Array;
  /** Sent, and not acknowledged yet. */
  readonly sent: { readonly frame: Uint8Array; readonly triesLeft: number } | undefined;
  /** Frames that wait until that one is acknowledged. */
  readonly waiting: readonly Uint8Array[];
  /** The last body that was taken. */
  readonly last: Uint8Array | undefined;
}

const NOTHING = new Uint8Array(0);

export const newLine: LineState = { pending: NOTHING, sent: undefined, waiting: [], last: undefined };

/** More frames than any dialogue has waiting: whoever writes on does not listen. */
export const MOST_WAITING = 8;

export const lineTimers = ["line-ack", "line-gap", "line-repeat"] as const;
export type LineTimer = (typeof lineTimers)[number];

/** What follows from one event: bytes to write now, bodies to take in this order, and timers (milliseconds from now). */
export interface LineStep {
  readonly state: LineState;
  readonly write: readonly Uint8Array[];
  readonly bodies: readonly Uint8Array[];
  readonly timers: Readonly<Partial<Record<LineTimer, number | "clear">>>;
  /** The other side does not acknowledge: nothing more can be said on this line. */
  readonly failed: string | undefined;
}

const NONE: readonly Uint8Array[] = [];

const still = (state: LineState): LineStep => ({ state, write: NONE, bodies: NONE, timers: NO_TIMERS, failed: undefined });

const written = (state: LineState, frame: Uint8Array, timers: LineStep["timers"]): LineStep => ({
  state,
  write: [frame],
  bodies: NONE,
  timers,
  failed: undefined,
});

const broken = (failed: string): LineStep => ({ state: newLine, write: NONE, bodies: NONE, timers: NO_TIMERS, failed });

/** Lays one step over another. */
function then(before: LineStep, next: LineStep): LineStep {
  return {
    state: next.state,
    write: followedBy(before.write, next.write),
    bodies: followedBy(before.bodies, next.bodies),
    timers: timersOver(before.timers, next.timers),
    failed: before.failed ?? next.failed,
  };
}

/** Sends a whole frame, at once or as soon as those before it are acknowledged. */
export function sendOnLine(rules: LineRules, line: LineState, frame: Uint8Array): LineStep {
  if (line.sent === undefined) return transmitted(rules, line, frame, rules.tries - 1);
  if (line.waiting.length >= MOST_WAITING) return broken(`${MOST_WAITING} frames wait for an acknowledgement`);
  return still({ ...line, waiting: [...line.waiting, frame] });
}

function transmitted(rules: LineRules, { pending, waiting, last }: LineState, frame: Uint8Array, triesLeft: number): LineStep {
  return written({ pending, sent: { frame, triesLeft }, waiting, last }, frame, { "line-ack": rules.ackMs });
}

/** Takes what arrived, wherever it was split. */
export function receiveOnLine(rules: LineRules, line: LineState, chunk: Uint8Array): LineStep {
  const { items, pending } = rules.cut(line.pending, chunk);
  let step = begun(rules, line, pending);
  for (const item of items) {
    if (step.failed !== undefined) break;
    step = then(step, taken(rules, step.state, item));
  }
  return step;
}

/** A frame that is not whole is waited for. */
function begun({ gapMs }: LineRules, line: LineState, pending: Uint8Array): LineStep {
  if (pending.length > 0) return { ...still({ ...line, pending }), timers: { "line-gap": gapMs } };
  return line.pending.length > 0 ? { ...still({ ...line, pending }), timers: { "line-gap": "clear" } } : still(line);
}

function taken(rules: LineRules, line: LineState, item: LineItem): LineStep {
  switch (item.is) {
    case "ack":
      return acknowledged(rules, line);
    case "nak":
      return again(rules, line, "refused");
    case "bad":
      return written(line, rules.nak, NO_TIMERS);
    case "frame":
      return heard(rules, line, item.body);
  }
}

/** The frame arrived; with it the other side has gone on, so that whatever it says from now on is new. */
function acknowledged(rules: LineRules, line: LineState): LineStep {
  if (line.sent === undefined) return still(line);
  const [next, ...behind] = line.waiting;
  const state: LineState = { pending: line.pending, sent: undefined, waiting: next === undefined ? line.waiting : behind, last: undefined };
  const free: LineStep = { state, write: NONE, bodies: NONE, timers: ARRIVED, failed: undefined };
  return next === undefined ? free : then(free, transmitted(rules, state, next, rules.tries - 1));
}

const ARRIVED = { "line-ack": "clear", "line-repeat": "clear" } as const;

function again(rules: LineRules, line: LineState, why: string): LineStep {
  const { sent } = line;
  if (sent === undefined) return still(line);
  if (sent.triesLeft <= 0) return broken(`a frame was ${why} ${rules.tries} times`);
  return transmitted(rules, line, sent.frame, sent.triesLeft - 1);
}

function heard(rules: LineRules, line: LineState, body: Uint8Array): LineStep {
  const { last, sent } = line;
  if (last !== undefined && equal(last, body)) return written(line, rules.ack, NO_TIMERS);
  const free = sent !== undefined && rules.answers(sent.frame, body) ? acknowledged(rules, line) : still(line);
  const { pending, sent: out, waiting } = free.state;
  return {
    state: { pending, sent: out, waiting, last: body },
    write: followedBy([rules.ack], free.write),
    bodies: [body],
    timers: timersOver(free.timers, { "line-repeat": rules.repeatMs }),
    failed: undefined,
  };
}

/** One of the line's timers passed. */
export function tickOnLine(rules: LineRules, line: LineState, name: LineTimer): LineStep {
  switch (name) {
    case "line-ack":
      return again(rules, line, "not acknowledged");
    case "line-gap":
      return line.pending.length === 0 ? still(line) : written({ ...line, pending: NOTHING }, rules.nak, NO_TIMERS);
    case "line-repeat":
      return still({ ...line, last: undefined });
  }
}
