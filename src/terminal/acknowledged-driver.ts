import type { Notice } from "../card/notice.ts";
import { oncePer } from "../kit/once-per.ts";
import {
  type LineRules,
  type LineState,
  type LineStep,
  type LineTimer,
  lineTimers,
  newLine,
  receiveOnLine,
  sendOnLine,
  tickOnLine,
} from "./acknowledged-line.ts";
import type { DriverSpec, DriverStart, FrameError, LinkEvent, TransportKind, Turn } from "./driver.ts";
import { followedBy, NO_TIMERS, type Timers, timersOver } from "./merge-turns.ts";

/*
 * Runs a driver on a line with acknowledgements. The inner driver gets one "bytes" event for each body and writes whole
 * frames; the line decides when and how often they are sent.
 */

export interface OnLine {
  readonly rules: (transport: TransportKind) => LineRules;
  /** Converts chunks of the transport into the stream's bytes, and back. */
  readonly unpack: (transport: TransportKind, chunk: Uint8Array) => Uint8Array;
  readonly pack: (transport: TransportKind, bytes: Uint8Array) => readonly Uint8Array[];
}

export interface AcknowledgedState<S> {
  readonly transport: TransportKind;
  readonly options: DriverStart["options"];
  readonly isOpen: boolean;
  readonly line: LineState;
  readonly inner: S;
}

type Inner<S> = Pick<DriverSpec<S>, "begin" | "turn">;

/** The turn's result so far. */
interface Here<S> {
  readonly state: AcknowledgedState<S>;
  readonly write: readonly Uint8Array[];
  readonly timers: Timers;
  readonly notices: readonly Notice[];
  readonly link?: "close" | "reopen";
  readonly frameErrors?: readonly FrameError[];
}

/** `begin` and `turn` of a driver spec. `innerOf` makes the inner driver from its terminal's options. */
export function acknowledgedDriver<S>(
  innerOf: (options: DriverStart["options"]) => Inner<S>,
  on: OnLine,
): Inner<AcknowledgedState<S>> {
  const inner = oncePer(innerOf);
  return {
    begin: (start) => {
      const { transport, options } = start;
      const { state, ...deed } = inner(options).begin(start);
      return { ...deed, state: { transport, options, isOpen: false, line: newLine, inner: state } };
    },
    turn: (state, event) => turn(inner(state.options), on, state, event),
  };
}

const NOTHING: readonly never[] = [];
const CLEARED: Timers = { "line-ack": "clear", "line-gap": "clear", "line-repeat": "clear" } satisfies Record<
  LineTimer,
  "clear"
>;

const still = <S>(state: AcknowledgedState<S>): Here<S> => ({
  state,
  write: NOTHING,
  timers: NO_TIMERS,
  notices: NOTHING,
});

function turn<S>(
  inner: Inner<S>,
  on: OnLine,
  state: AcknowledgedState<S>,
  event: LinkEvent,
): Turn<AcknowledgedState<S>> {
  switch (event.on) {
    case "opened":
      return inside(inner, on, fresh(state, true), event);
    case "closed":
      return inside(inner, on, fresh(state, false), event);
    case "command":
      return inside(inner, on, still(state), event);
    case "bytes":
      if (!state.isOpen) return { state };
      return lined(
        inner,
        on,
        still(state),
        receiveOnLine(on.rules(state.transport), state.line, on.unpack(state.transport, event.bytes)),
      );
    case "timer": {
      const name = lineTimers.find((one) => one === event.name);
      if (name === undefined) return inside(inner, on, still(state), event);
      return state.isOpen
        ? lined(inner, on, still(state), tickOnLine(on.rules(state.transport), state.line, name))
        : { state };
    }
  }
}

function fresh<S>(state: AcknowledgedState<S>, isOpen: boolean): Here<S> {
  return { ...still({ ...state, isOpen, line: newLine }), timers: CLEARED };
}

/** Omitted if empty, as in almost every turn. */
function errorsOf(
  before: readonly FrameError[] | undefined,
  more: readonly FrameError[] | undefined,
): Pick<Here<never>, "frameErrors"> {
  const frameErrors = followedBy(before, more);
  return frameErrors.length === 0 ? {} : { frameErrors };
}

/** Runs the line's step, then the driver for each body. */
function lined<S>(
  inner: Inner<S>,
  on: OnLine,
  before: Here<S>,
  { state: line, write, bodies, timers, failed, frameErrors }: LineStep,
): Here<S> {
  const { state } = before;
  const packed = write.length === 0 ? write : write.flatMap((bytes) => on.pack(state.transport, bytes));
  let here: Here<S> = {
    state: { ...state, line },
    write: followedBy(before.write, packed),
    timers: timersOver(before.timers, timers),
    notices: before.notices,
    ...errorsOf(before.frameErrors, frameErrors),
  };
  if (failed !== undefined) return lost(inner, on, here, failed);
  for (const bytes of bodies) if (here.state.isOpen) here = inside(inner, on, here, { on: "bytes", bytes });
  return here;
}

/** Merges the driver's turn into the result so far, and puts its frames on the line. */
function inside<S>(inner: Inner<S>, on: OnLine, before: Here<S>, event: LinkEvent): Here<S> {
  const { state: next, write = NOTHING, timers, notices, link, frameErrors } = inner.turn(before.state.inner, event);
  let after: Here<S> = {
    state: { ...before.state, inner: next },
    write: before.write,
    timers: timersOver(before.timers, timers),
    notices: followedBy(before.notices, notices),
    ...errorsOf(before.frameErrors, frameErrors),
  };
  if (link !== undefined)
    return {
      ...after,
      state: { ...after.state, isOpen: false, line: newLine },
      timers: { ...after.timers, ...CLEARED },
      link,
    };
  for (const frame of write) {
    const { isOpen, transport, line } = after.state;
    if (isOpen) after = lined(inner, on, after, sendOnLine(on.rules(transport), line, frame));
  }
  return after;
}

/** No acknowledgement came: for the driver the link is lost, and a new one is requested. */
function lost<S>(inner: Inner<S>, on: OnLine, before: Here<S>, detail: string): Here<S> {
  const over = inside(
    inner,
    on,
    { ...before, state: { ...before.state, isOpen: false, line: newLine } },
    { on: "closed" },
  );
  const known = before.notices.length;
  const notices = over.notices.map(
    (notice, at): Notice => (at >= known && notice.on === "fault" ? { ...notice, detail } : notice),
  );
  const told: readonly Notice[] =
    notices.length > known ? notices : [...notices, { n: 0, on: "fault", code: "no-answer", detail }];
  return { ...over, notices: told, timers: { ...over.timers, ...CLEARED }, link: "reopen" };
}
