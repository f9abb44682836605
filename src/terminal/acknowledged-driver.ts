import type { Notice } from "../card/notice.ts";
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
import type { DriverSpec, DriverStart, LinkEvent, TransportKind, Turn } from "./driver.ts";

/*
 * Puts a line with acknowledgements under a driver: the driver inside gets one "bytes" event for each body and writes whole frames; when they go out, and how often, is
 * the line's affair.
 */

export interface OnLine {
  readonly rules: (transport: TransportKind) => LineRules;
  /** The stream's bytes out of one chunk of the transport, and into it. */
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
type Here<S> = Turn<AcknowledgedState<S>>;

/** `begin` and `turn` of a driver spec. `innerOf` makes the driver inside from the options of its terminal. */
export function acknowledgedDriver<S>(innerOf: (options: DriverStart["options"]) => Inner<S>, on: OnLine): Inner<AcknowledgedState<S>> {
  return {
    begin: (start) => {
      const { transport, options } = start;
      const { state, ...deed } = innerOf(options).begin(start);
      return { ...deed, state: { transport, options, isOpen: false, line: newLine, inner: state } };
    },
    turn: (state, event) => turn(innerOf(state.options), on, state, event),
  };
}

const CLEARED = Object.fromEntries(lineTimers.map((name) => [name, "clear" as const]));

function turn<S>(inner: Inner<S>, on: OnLine, state: AcknowledgedState<S>, event: LinkEvent): Here<S> {
  const fresh = (isOpen: boolean): Here<S> => ({ state: { ...state, isOpen, line: newLine }, timers: CLEARED });
  switch (event.on) {
    case "opened":
      return inside(inner, on, fresh(true), event);
    case "closed":
      return inside(inner, on, fresh(false), event);
    case "command":
      return inside(inner, on, { state }, event);
    case "bytes":
      if (!state.isOpen) return { state };
      return lined(inner, on, { state }, receiveOnLine(on.rules(state.transport), state.line, on.unpack(state.transport, event.bytes)));
    case "timer": {
      const name = lineTimers.find((one) => one === event.name);
      if (name === undefined) return inside(inner, on, { state }, event);
      return state.isOpen ? ticked(inner, on, state, name) : { state };
    }
  }
}

function ticked<S>(inner: Inner<S>, on: OnLine, state: AcknowledgedState<S>, name: LineTimer): Here<S> {
  return lined(inner, on, { state }, tickOnLine(on.rules(state.transport), state.line, name));
}

/** What the line does, and then what the driver makes of each body. */
function lined<S>(inner: Inner<S>, on: OnLine, before: Here<S>, { state: line, write, bodies, timers, failed }: LineStep): Here<S> {
  const { state } = before;
  const here: Here<S> = {
    ...before,
    state: { ...state, line },
    write: [...(before.write ?? []), ...write.flatMap((bytes) => on.pack(state.transport, bytes))],
    timers: { ...before.timers, ...timers },
  };
  if (failed !== undefined) return lost(inner, on, here, failed);
  return bodies.reduce((so, body) => (so.state.isOpen ? inside(inner, on, so, { on: "bytes", bytes: body }) : so), here);
}

/** The driver's own turn, laid over what the turn did so far; its frames go onto the line. */
function inside<S>(inner: Inner<S>, on: OnLine, before: Here<S>, event: LinkEvent): Here<S> {
  const { state: next, write = [], timers, notices, link } = inner.turn(before.state.inner, event);
  const after: Here<S> = {
    ...before,
    state: { ...before.state, inner: next },
    timers: { ...before.timers, ...timers },
    notices: [...(before.notices ?? []), ...(notices ?? [])],
  };
  if (link !== undefined) return { ...after, state: { ...after.state, isOpen: false, line: newLine }, timers: { ...after.timers, ...CLEARED }, link };
  return write.reduce<Here<S>>((so, frame) => {
    if (!so.state.isOpen) return so;
    return lined(inner, on, so, sendOnLine(on.rules(so.state.transport), so.state.line, frame));
  }, after);
}

/** Nobody acknowledges: for the driver the link is gone, and a fresh one is asked for. */
function lost<S>(inner: Inner<S>, on: OnLine, before: Here<S>, detail: string): Here<S> {
  const over = inside(inner, on, { ...before, state: { ...before.state, isOpen: false, line: newLine } }, { on: "closed" });
  const known = before.notices?.length ?? 0;
  const notices = (over.notices ?? []).map((notice, at): Notice => (at >= known && notice.on === "fault" ? { ...notice, detail } : notice));
  const told: readonly Notice[] = notices.length > known ? notices : [...notices, { n: 0, on: "fault", code: "no-answer", detail }];
  return { ...over, notices: told, timers: { ...over.timers, ...CLEARED }, link: "reopen" };
}
