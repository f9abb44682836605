import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import type { TerminalEvent, Terminals } from "../../src/engine/ports.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { Secret } from "../../src/kit/secret.ts";
import type { TerminalStatus } from "../../src/terminal/status.ts";

/** A notice without its number, which the terminal adds. */
export type Saying = Notice extends infer One ? (One extends Notice ? Omit<One, "n"> : never) : never;

/** What a scripted terminal says to a command; it says it 10 ms later, one after another. */
export type Script = (command: Command) => readonly Saying[];

const CARD: Saying = {
  on: "card",
  card: {
    interface: "chip",
    decision: "online",
    icc: [
      { tag: "84", value: Uint8Array.of(0xa0, 0, 0, 0, 3, 0x10, 0x10) },
      { tag: "9F26", value: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
      { tag: "9F27", value: Uint8Array.of(0x80) },
    ],
    sred: { data: new Secret("00112233445566778899AABBCCDDEEFF"), ksn: "FFFF9876543210E00001" },
    pin: { data: new Secret("1B9C1845EB993A7A"), ksn: "FFFF9876543211E00001" },
    masked: { bin: "476134", last4: "0050" },
  },
};

/** A sale goes well. */
export const obliging: Script = (command) => {
  switch (command.do) {
    case "collect":
      return [{ on: "slot", card: true }, CARD];
    case "complete":
      return [{ on: "finished", verdict: command.issuer.verdict === "approved" ? "approved" : "declined", emv: [] }];
    case "cancel":
      return [{ on: "cancelled", by: "register" }];
    case "display":
      return [{ on: "done" }, { on: "slot", card: false }];
    case "idle":
    case "identify":
    case "set-clock":
    case "ask-pin":
      return [{ on: "done" }];
  }
};

export interface BenchTerminal extends Terminals {
  readonly commands: Command[];
  say(saying: Saying, n?: number): void;
  become(state: TerminalStatus["state"]): void;
}

/**
 * One terminal, `till-1`, that answers from a script instead of a device. Its slot is empty to begin with, and it says
 * so.
 */
export function benchTerminal(
  clock: Clock,
  script: Script = obliging,
  can: Partial<TerminalStatus["capabilities"]> = {},
  first: TerminalStatus["state"] = "ready",
): BenchTerminal {
  const listeners: ((event: TerminalEvent) => void)[] = [];
  const commands: Command[] = [];
  let state = first;
  const status = (): TerminalStatus => ({
    id: "till-1",
    model: "bench",
    state,
    connection: "bench",
    hostWaitMs: 60_000,
    capabilities: { interfaces: ["chip"], onlinePin: true, pinAfterTap: false, display: true, sealed: false, ...can },
  });
  const tell = (event: TerminalEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const say = (saying: Saying, n = 0): void => tell({ on: "notice", terminal: "till-1", notice: { ...saying, n } });
  return {
    commands,
    say,
    list: () => [status()],
    status: (terminal) => (terminal === "till-1" ? status() : undefined),
    listen: (listener) => {
      listeners.push(listener);
      listener({ on: "notice", terminal: "till-1", notice: { n: 0, on: "slot", card: false } });
    },
    send: (_terminal, command) => {
      const n = commands.push(command);
      for (const [at, saying] of script(command).entries())
        clock.after(10 * (at + 1), () => say(saying, saying.on === "slot" ? 0 : n));
      return n;
    },
    become: (next) => {
      state = next;
      tell({ on: "status", terminal: "till-1", status: status() });
    },
  };
}
