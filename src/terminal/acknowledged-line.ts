import { equal } from "../kit/bytes.ts";
import type { FrameError } from "./driver.ts";
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
  /** A frame that was sent more than once is followed by the next one when all its acknowledgements came, or when nothing has come for so long. */
  readonly quietMs: number;
  /** Whether a body can only be the answer to a frame of ours: then that one has arrived, whatever became of its acknowledgement. */
  readonly answers: (sent: Uint8Array, body: Uint8Array) => boolean;
}

export interface LineState {
  readonly pending: Uint8Array;
  /** Sent, and not acknowledged yet; `unheard`: so many of its sendings were neither acknowledged nor refused. */
  readonly sent: { readonly frame: Uint8Array; readonly triesLeft: number; readonly unheard: number } | undefined;
  /** So many sendings of the frame before may be acknowledged yet: no frame goes out before they were, or the line was quiet for a while. */
  readonly late: number;
  /** Frames that wait until that one is acknowledged. */
  readonly waiting: readonly Uint8Array[];
  /** The last body that was taken. */
  readonly last: Uint8Array | undefined;
}

const NOTHING = new Uint8Array(0);

export const newLine: LineState = { pending: NOTHING, sent: undefined, late: 0, waiting: [], last: undefined };

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
  readonly frameErrors: readonly FrameError[];
}

const NONE: readonly never[] = [];

const still = (state: LineState): LineStep => ({ state, write: NONE, bodies: NONE, timers: NO_TIMERS, failed: undefined, frameErrors: NONE });

const written = (state: LineState, frame: Uint8Array, timers: LineStep["timers"], frameErrors: LineStep["frameErrors"] = NONE): LineStep => ({
  state,
  write: [frame],
  bodies: NONE,
  timers,
  failed: undefined,
  frameErrors,
});

const broken = (failed: string): LineStep => ({ ...still(newLine), failed });

const wrong = (step: LineStep, error: FrameError): LineStep => ({ ...step, frameErrors: followedBy([error], step.frameErrors) });

/** Lays one step over another. */
function then(before: LineStep, next: LineStep): LineStep {
  return {
    state: next.state,
    write: followedBy(before.write, next.write),
    bodies: followedBy(before.bodies, next.bodies),
    timers: timersOver(before.timers, next.timers),
    failed: before.failed ?? next.failed,
    frameErrors: followedBy(before.frameErrors, next.frameErrors),
  };
}

/** Sends a whole frame, at once or as soon as those before it are acknowledged. */
export function sendOnLine(rules: LineRules, line: LineState, frame: Uint8Array): LineStep {
  if (line.sent === undefined && line.late === 0) return transmitted(rules, line, { frame, triesLeft: rules.tries - 1, unheard: 1 });
  if (line.waiting.length >= MOST_WAITING) return broken(`${MOST_WAITING} frames wait for an acknowledgement`);
  return still({ ...line, waiting: [...line.waiting, frame] });
}

function transmitted(rules: LineRules, { pending, late, waiting, last }: LineState, sent: NonNullable<LineState["sent"]>): LineStep {
  return written({ pending, sent, late, waiting, last }, sent.frame, { "line-ack": rules.ackMs });
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
      return line.sent === undefined ? acknowledged(rules, line) : wrong(again(rules, line, "refused", line.sent.unheard - 1), "refused");
    case "bad":
      return written(line, rules.nak, NO_TIMERS, ["corrupted"]);
    case "frame":
      return heard(rules, line, item.body);
  }
}

/** The frame arrived; with it the other side has gone on, so that whatever it says from now on is new. */
function acknowledged(rules: LineRules, line: LineState): LineStep {
  const { pending, sent, waiting } = line;
  if (sent === undefined) return settling(rules, line, Math.max(0, line.late - 1));
  const free: LineStep = {
    state: { pending, sent: undefined, late: 0, waiting, last: undefined },
    write: NONE,
    bodies: NONE,
    timers: ARRIVED,
    failed: undefined,
    frameErrors: NONE,
  };
  return then(free, settling(rules, free.state, Math.max(0, sent.unheard - 1)));
}

/**
 * After a line that stood still the acknowledgements of all sendings come, and the answer perhaps as often: taken for the next frame's, one of them would make the repeated
 * answer a new one. So the next frame goes out once nothing of the one before can come any more.
 */
function settling(rules: LineRules, line: LineState, late: number): LineStep {
  const state = { ...line, late };
  if (late > 0) return { ...still(state), timers: { "line-ack": rules.quietMs } };
  const [frame, ...waiting] = line.waiting;
  if (frame === undefined) return line.late === 0 ? still(line) : { ...still(state), timers: { "line-ack": "clear" } };
  return transmitted(rules, { ...state, waiting }, { frame, triesLeft: rules.tries - 1, unheard: 1 });
}

const quiet = ({ quietMs }: LineRules, late: number): LineStep["timers"] => (late > 0 ? { "line-ack": quietMs } : NO_TIMERS);

const ARRIVED = { "line-ack": "clear", "line-repeat": "clear" } as const;

/** `unheard`: how many of its sendings are without an answer of the line's. */
function again(rules: LineRules, line: LineState, why: string, unheard: number): LineStep {
  const { sent } = line;
  if (sent === undefined) return still(line);
  if (sent.triesLeft <= 0) return broken(`a frame was ${why} ${rules.tries} times`);
  return transmitted(rules, line, { frame: sent.frame, triesLeft: sent.triesLeft - 1, unheard: unheard + 1 });
}

function heard(rules: LineRules, line: LineState, body: Uint8Array): LineStep {
  const { last, sent } = line;
  if (last !== undefined && equal(last, body)) return written(line, rules.ack, repeated(rules, line), ["repeated"]);
  const free = sent !== undefined && rules.answers(sent.frame, body) ? acknowledged(rules, line) : still(line);
  const { pending, sent: out, late, waiting } = free.state;
  return {
    state: { pending, sent: out, late, waiting, last: body },
    write: followedBy([rules.ack], free.write),
    bodies: [body],
    timers: timersOver(free.timers, { "line-repeat": rules.repeatMs, ...quiet(rules, late) }),
    failed: undefined,
    frameErrors: NONE,
  };
}

/** As long as what was sent before is still being heard of, the other side repeats what it has said to that. */
function repeated(rules: LineRules, { late }: LineState): LineStep["timers"] {
  return late > 0 ? { ...quiet(rules, late), "line-repeat": rules.repeatMs } : NO_TIMERS;
}

/** One of the line's timers passed. */
export function tickOnLine(rules: LineRules, line: LineState, name: LineTimer): LineStep {
  switch (name) {
    case "line-ack":
      return line.sent === undefined ? settling(rules, line, 0) : wrong(again(rules, line, "not acknowledged", line.sent.unheard), "unacknowledged");
    case "line-gap":
      return line.pending.length === 0 ? still(line) : written({ ...line, pending: NOTHING }, rules.nak, NO_TIMERS, ["corrupted"]);
    case "line-repeat":
      return still({ ...line, last: undefined });
  }
}
