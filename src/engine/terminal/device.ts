import type { Command } from "../../card/command.ts";
import type { Notice } from "../../card/notice.ts";
import type { Cancel, Clock } from "../../kit/clock.ts";
import type { TerminalStatus } from "../../terminal/status.ts";
import type { Terminals } from "../ports.ts";
import { createWaiters } from "../shell/waiters.ts";
import { createSlots, type Slots } from "./slots.ts";

/** A notice that ends its command. */
export type Ending = Exclude<
  Notice,
  { on: "prompt" } | { on: "slot" } | { on: "slot-untold" } | { on: "restart-soon" }
>;

/**
 * The terminals for payments: commands with their own listeners, slots, the first connection, and announced restarts.
 */
export interface Devices extends Slots, Connecting {
  /** Sends a command; `hear` gets all its notices, the last of which ends it. */
  begin(terminal: string, command: Command, hear: (notice: Notice) => void): void;
  /** The terminal is offline for a restart it announced (card/notice, `restart-soon`). */
  isRestarting(terminal: string): boolean;
  /**
   * Calls once when the restart is over: the terminal is back, out of service or overdue. At once if it is not
   * restarting.
   */
  whenRestarted(terminal: string, run: () => void): Cancel;
}

/**
 * Maximum wait after the announced time: a device that has not restarted after five minutes is put back in service
 * (terminal/restarting), which takes a moment.
 */
const BACK_WITHIN_MS = 360_000;

/** Terminals not connected yet in this process: after a start, links and identification take a moment. */
interface Connecting {
  /** Terminals still expected. */
  connecting(): readonly string[];
  /** Calls once when the terminal is connected or overdue; at once if it is not expected. */
  whenConnected(terminal: string, run: () => void): void;
}

/** Wait for a terminal after the start; a later one is off or missing. */
export const CONNECT_MS = 15_000;

function createConnecting(terminals: Terminals, clock: Clock): Connecting & { told(status: TerminalStatus): void } {
  const until = clock.monotonic() + CONNECT_MS;
  const awaited = new Set(terminals.list().flatMap(({ id, state }) => (state === "offline" ? [id] : [])));
  const waiters = createWaiters();
  const isConnecting = (terminal: string): boolean => awaited.has(terminal) && clock.monotonic() < until;
  return {
    connecting: () => [...awaited].filter(isConnecting),
    whenConnected: (terminal, run) => {
      if (!isConnecting(terminal)) return run();
      const end = (): void => {
        stopTimer();
        leave();
        run();
      };
      const stopTimer = clock.after(until - clock.monotonic(), end);
      const leave = waiters.wait(terminal, end);
    },
    told: ({ id, state }) => {
      if (state === "offline" || !awaited.delete(id)) return;
      waiters.call(id);
    },
  };
}

export function isEnding(notice: Notice): notice is Ending {
  return notice.on !== "prompt" && notice.on !== "slot" && notice.on !== "slot-untold" && notice.on !== "restart-soon";
}

/** Terminals with an announced restart, each with the end of its wait (monotonic). */
function createRestarts(
  terminals: Terminals,
  clock: Clock,
): Pick<Devices, "isRestarting" | "whenRestarted"> & {
  announced(terminal: string, inMs: number): void;
  told(terminal: string): void;
} {
  const until = new Map<string, number>();
  const waiters = createWaiters();
  const leftMs = (terminal: string): number => (until.get(terminal) ?? 0) - clock.monotonic();
  const isRestarting = (terminal: string): boolean =>
    leftMs(terminal) > 0 && terminals.status(terminal)?.state === "offline";
  return {
    isRestarting,
    whenRestarted: (terminal, run) => {
      if (!isRestarting(terminal)) {
        run();
        return () => undefined;
      }
      const stop = (): void => {
        stopTimer();
        leave();
      };
      const end = (): void => {
        stop();
        run();
      };
      const stopTimer = clock.after(leftMs(terminal), end);
      const leave = waiters.wait(terminal, end);
      return stop;
    },
    announced: (terminal, inMs) => void until.set(terminal, clock.monotonic() + inMs + BACK_WITHIN_MS),
    told: (terminal) => {
      if (!isRestarting(terminal)) waiters.call(terminal);
    },
  };
}

export function createDevices(terminals: Terminals, clock: Clock): Devices {
  const ears = new Map<string, (notice: Notice) => void>();
  const { told: slotTold, untold, gone, ...slots } = createSlots();
  const { announced, told, ...restarts } = createRestarts(terminals, clock);
  const { told: connected, ...connecting } = createConnecting(terminals, clock);
  terminals.listen((event) => {
    if (event.on === "status") {
      if (event.status.state !== "ready") gone(event.terminal);
      told(event.terminal);
      connected(event.status);
      return;
    }
    const { terminal, notice } = event;
    if (notice.on === "slot") slotTold(terminal, notice.card);
    if (notice.on === "slot-untold") untold(terminal);
    if (notice.on === "restart-soon") announced(terminal, notice.inMs);
    const key = `${terminal} ${notice.n}`;
    const hear = ears.get(key);
    if (isEnding(notice)) ears.delete(key);
    hear?.(notice);
  });
  return {
    begin: (terminal, command, hear) => {
      ears.set(`${terminal} ${terminals.send(terminal, command)}`, hear);
    },
    ...slots,
    ...restarts,
    ...connecting,
  };
}
