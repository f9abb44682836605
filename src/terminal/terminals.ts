import type { Command } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type { Session } from "./session.ts";
import type { SessionEvent, TerminalTest } from "./session-core.ts";
import type { TerminalStatus } from "./status.ts";

export type TerminalsEvent =
  | { readonly on: "notice"; readonly terminal: string; readonly notice: Notice }
  | { readonly on: "status"; readonly terminal: string; readonly status: TerminalStatus };

/** All terminals of this bridge, by their ids. */
export interface TerminalSet {
  /** First those of the configuration, in its order, then later ones. */
  list(): readonly TerminalStatus[];
  status(terminal: string): TerminalStatus | undefined;
  /** Throws a RangeError for an unknown terminal: check ids from outside first. */
  send(terminal: string, command: Command): number;
  listen(listener: (event: TerminalsEvent) => void): void;
  test(terminal: string): Promise<TerminalTest>;
  /**
   * Takes a session into service, also in place of a suspended one. `heard`: its earlier events. Throws a RangeError if
   * another session has the id.
   */
  put(session: Session, heard: readonly SessionEvent[]): void;
  /** Takes a terminal out of service until `put`; no payment may hold it. Resolves once its line is closed. */
  suspend(terminal: string, reason: string): Promise<void>;
  /** Removes a terminal; no payment may hold it. Resolves once its line is closed. */
  remove(terminal: string): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** A terminal's place in the list: its session, or its status while it has none. */
type Place = { readonly session: Session } | { readonly suspended: TerminalStatus };

/** Throws a RangeError if two sessions have the same id. */
export function createTerminals(sessions: readonly Session[]): TerminalSet {
  const places = new Map<string, Place>();
  const listeners: ((event: TerminalsEvent) => void)[] = [];
  const tell = (event: TerminalsEvent): void => {
    for (const listener of listeners) listener(event);
  };
  /** A replaced session still ends its commands, but reports nothing else. */
  const hear = (session: Session, event: SessionEvent): void => {
    const place = places.get(session.id);
    const isServing = place !== undefined && "session" in place && place.session === session;
    if (isServing || event.on === "notice") tell({ ...event, terminal: session.id });
  };
  const put = (session: Session, heard: readonly SessionEvent[]): void => {
    const place = places.get(session.id);
    if (place !== undefined && "session" in place) throw new RangeError("two terminals have the same id");
    places.set(session.id, { session });
    for (const event of heard) hear(session, event);
    session.listen((event) => hear(session, event));
  };
  const named = (terminal: string): Session => {
    const place = places.get(terminal);
    if (place === undefined || "suspended" in place) throw new RangeError(`no terminal "${terminal}"`);
    return place.session;
  };
  /** Reports the terminal's new status and ends its session. */
  const end = async (
    terminal: string,
    status: Pick<TerminalStatus, "state" | "reason">,
    next?: "suspended",
  ): Promise<void> => {
    const session = named(terminal);
    const last = { ...session.status(), ...status };
    if (next === undefined) places.delete(terminal);
    else places.set(terminal, { suspended: last });
    tell({ on: "status", terminal, status: last });
    await session.stop();
  };
  const all = (): readonly Session[] =>
    [...places.values()].flatMap((place) => ("session" in place ? [place.session] : []));
  for (const session of sessions) put(session, []);
  return {
    list: () => [...places.values()].map(statusOf),
    status: (terminal) => {
      const place = places.get(terminal);
      return place && statusOf(place);
    },
    send: (terminal, command) => named(terminal).send(command),
    listen: (listener) => void listeners.push(listener),
    test: async (terminal) => {
      const place = places.get(terminal);
      if (place !== undefined && "suspended" in place)
        return { ok: false, status: place.suspended, problem: place.suspended.reason ?? "out of service" };
      return named(terminal).test();
    },
    put,
    suspend: (terminal, reason) => end(terminal, { state: "out-of-service", reason }, "suspended"),
    remove: (terminal) => end(terminal, { state: "offline", reason: "it is no terminal of this bridge any more" }),
    start: () => {
      for (const session of all()) session.start();
    },
    stop: async () => {
      await Promise.all(all().map((session) => session.stop()));
    },
  };
}

function statusOf(place: Place): TerminalStatus {
  return "session" in place ? place.session.status() : place.suspended;
}
