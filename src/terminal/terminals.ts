import type { Command } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type { Session } from "./session.ts";
import type { TerminalTest } from "./session-core.ts";
import type { TerminalStatus } from "./status.ts";

export type TerminalsEvent =
  | { readonly on: "notice"; readonly terminal: string; readonly notice: Notice }
  | { readonly on: "status"; readonly terminal: string; readonly status: TerminalStatus };

/** All terminals of this bridge, by their configured ids. */
export interface TerminalSet {
  /** In the order of the configuration. */
  list(): readonly TerminalStatus[];
  status(terminal: string): TerminalStatus | undefined;
  /** Throws a RangeError where there is no such terminal: whoever takes an id from outside looks it up first. */
  send(terminal: string, command: Command): number;
  listen(listener: (event: TerminalsEvent) => void): void;
  test(terminal: string): Promise<TerminalTest>;
  start(): void;
  stop(): Promise<void>;
}

/** Throws a RangeError where two sessions have the same id. */
export function createTerminals(sessions: readonly Session[]): TerminalSet {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  if (byId.size !== sessions.length) throw new RangeError("two terminals have the same id");
  const named = (terminal: string): Session => {
    const session = byId.get(terminal);
    if (session === undefined) throw new RangeError(`no terminal "${terminal}"`);
    return session;
  };
  return {
    list: () => sessions.map((session) => session.status()),
    status: (terminal) => byId.get(terminal)?.status(),
    send: (terminal, command) => named(terminal).send(command),
    listen: (listener) => {
      for (const session of sessions) session.listen((event) => listener({ ...event, terminal: session.id }));
    },
    test: (terminal) => named(terminal).test(),
    start: () => {
      for (const session of sessions) session.start();
    },
    stop: async () => {
      await Promise.all(sessions.map((session) => session.stop()));
    },
  };
}
