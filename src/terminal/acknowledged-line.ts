import { equal } from "../kit/bytes.ts";
import type { FrameError } from "./driver.ts";
import { followedBy, NO_TIMERS, timersOver } from "./merge-turns.ts";

/*
 * A line on which each side acknowledges a good frame by one byte, requests a bad one again by another, and has one
 * unacknowledged frame at a time. The same pure value serves the host and simulated devices; the protocol defines the
 * frames.
 */

/** A part of the stream; noise is dropped. */
export type LineItem =
  | { readonly is: "ack" }
  | { readonly is: "nak" }
  /** A corrupted frame. */
  | { readonly is: "bad" }
  | { readonly is: "frame"; readonly body: Uint8Array };

export interface LineCut {
  readonly items: readonly LineItem[];
  /** The start of a frame; always bounded. */
  readonly pending: Uint8Array;
}

export interface LineRules {
  /** Cuts the pending bytes together with the next chunk. Never throws. */
  readonly cut: (pending: Uint8Array, chunk: Uint8Array) => LineCut;
  readonly ack: Uint8Array;
  readonly nak: Uint8Array;
  /** Time limit for an acknowledgement, in milliseconds, and how often a frame is sent. */
  readonly ackMs: number;
  readonly tries: number;
  /** An incomplete frame is requested again after this time. */
  readonly gapMs: number;
  /**
   * The same frame within this time, without an acknowledgement of ours between, is a repetition: the other side missed
   * our acknowledgement.
   */
  readonly repeatMs: number;
  /** After a repeated frame, the next one waits until all acknowledgements came, or nothing arrived for this time. */
  readonly quietMs: number;
  /**
   * Tells whether a body can only be the answer to a frame of ours. That frame has then arrived, even if its
   * acknowledgement was lost.
   */
  readonly answers: (sent: Uint8Array, body: Uint8Array) => boolean;
}

export interface LineState {
  readonly pending: Uint8Array;
  /** Sent, but not yet acknowledged; `unheard`: transmissions neither acknowledged nor refused. */
  readonly sent: { readonly frame: Uint8Array; readonly triesLeft: number; readonly unheard: number } | undefined;
  /**
   * Transmissions of the previous frame that may still be acknowledged. The next frame waits for them, or for a quiet
   * line.
   */
  readonly late: number;
  /** Frames that wait for that acknowledgement. */
  readonly waiting: readonly Uint8Array[];
  /** The last accepted body. */
  readonly last: Uint8Array | undefined;
}

const NOTHING = new Uint8Array(0);

export const newLine: LineState = { pending: NOTHING, sent: undefined, late: 0, waiting: [], last: undefined };

/** No dialogue has more frames waiting; a sender that goes on does not listen. */
export const MOST_WAITING = 8;

export const lineTimers = ["line-ack", "line-gap", "line-repeat"] as const;
export type LineTimer = (typeof lineTimers)[number];

/** The result of one event: bytes to write now, bodies in order, and timers (milliseconds from now). */
export interface LineStep {
  readonly state: LineState;
  readonly write: readonly Uint8Array[];
  readonly bodies: readonly Uint8Array[];
  readonly timers: Readonly<Partial<Record<LineTimer, number | "clear">>>;
  /** The other side does not acknowledge: the line is unusable. */
  readonly failed: string | undefined;
  readonly frameErrors: readonly FrameError[];
}

const NONE: readonly never[] = [];

const still = (state: LineState): LineStep => ({
  state,
  write: NONE,
  bodies: NONE,
  timers: NO_TIMERS,
  failed: undefined,
  frameErrors: NONE,
});

const written = (
  state: LineState,
  frame: Uint8Array,
  timers: LineStep["timers"],
  frameErrors: LineStep["frameErrors"] = NONE,
): LineStep => ({
  state,
  write: [frame],
  bodies: NONE,
  timers,
  failed: undefined,
  frameErrors,
});

const broken = (failed: string): LineStep => ({ ...still(newLine), failed });

const wrong = (step: LineStep, error: FrameError): LineStep => ({
  ...step,
  frameErrors: followedBy([error], step.frameErrors),
});

/** Merges two steps. */
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

/** Sends a whole frame once the earlier ones are acknowledged. */
export function sendOnLine(rules: LineRules, line: LineState, frame: Uint8Array): LineStep {
  if (line.sent === undefined && line.late === 0)
    return transmitted(rules, line, { frame, triesLeft: rules.tries - 1, unheard: 1 });
  if (line.waiting.length >= MOST_WAITING) return broken(`${MOST_WAITING} frames wait for an acknowledgement`);
  return still({ ...line, waiting: [...line.waiting, frame] });
}

function transmitted(
  rules: LineRules,
  { pending, late, waiting, last }: LineState,
  sent: NonNullable<LineState["sent"]>,
): LineStep {
  return written({ pending, sent, late, waiting, last }, sent.frame, { "line-ack": rules.ackMs });
}

/** Handles received bytes, split anywhere. */
export function receiveOnLine(rules: LineRules, line: LineState, chunk: Uint8Array): LineStep {
  const { items, pending } = rules.cut(line.pending, chunk);
  let step = begun(rules, line, pending);
  for (const item of items) {
    if (step.failed !== undefined) break;
    step = then(step, taken(rules, step.state, item));
  }
  return step;
}

/** Waits for the rest of an incomplete frame. */
function begun({ gapMs }: LineRules, line: LineState, pending: Uint8Array): LineStep {
  if (pending.length > 0) return { ...still({ ...line, pending }), timers: { "line-gap": gapMs } };
  return line.pending.length > 0 ? { ...still({ ...line, pending }), timers: { "line-gap": "clear" } } : still(line);
}

function taken(rules: LineRules, line: LineState, item: LineItem): LineStep {
  switch (item.is) {
    case "ack":
      return acknowledged(rules, line);
    case "nak":
      return line.sent === undefined
        ? acknowledged(rules, line)
        : wrong(again(rules, line, "refused", line.sent.unheard - 1), "refused");
    case "bad":
      return written(line, rules.nak, NO_TIMERS, ["corrupted"]);
    case "frame":
      return heard(rules, line, item.body);
  }
}

/** The frame arrived, so the other side has moved on: its next message is new. */
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
 * After a stall, late acknowledgements and repeated answers may arrive. If the next frame took one of them, a repeated
 * answer would look new, so it waits until nothing more can arrive.
 */
function settling(rules: LineRules, line: LineState, late: number): LineStep {
  const state = { ...line, late };
  if (late > 0) return { ...still(state), timers: { "line-ack": rules.quietMs } };
  const [frame, ...waiting] = line.waiting;
  if (frame === undefined) return line.late === 0 ? still(line) : { ...still(state), timers: { "line-ack": "clear" } };
  return transmitted(rules, { ...state, waiting }, { frame, triesLeft: rules.tries - 1, unheard: 1 });
}

const quiet = ({ quietMs }: LineRules, late: number): LineStep["timers"] =>
  late > 0 ? { "line-ack": quietMs } : NO_TIMERS;

const ARRIVED = { "line-ack": "clear", "line-repeat": "clear" } as const;

/** `unheard`: transmissions without a reply of the line. */
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

/** While replies to earlier transmissions may arrive, the other side repeats its answer to them. */
function repeated(rules: LineRules, { late }: LineState): LineStep["timers"] {
  return late > 0 ? { ...quiet(rules, late), "line-repeat": rules.repeatMs } : NO_TIMERS;
}

/** Handles an expired timer of the line. */
export function tickOnLine(rules: LineRules, line: LineState, name: LineTimer): LineStep {
  switch (name) {
    case "line-ack":
      return line.sent === undefined
        ? settling(rules, line, 0)
        : wrong(again(rules, line, "not acknowledged", line.sent.unheard), "unacknowledged");
    case "line-gap":
      return line.pending.length === 0
        ? still(line)
        : written({ ...line, pending: NOTHING }, rules.nak, NO_TIMERS, ["corrupted"]);
    case "line-repeat":
      return still({ ...line, last: undefined });
  }
}
