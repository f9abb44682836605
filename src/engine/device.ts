import type { Command } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Terminals } from "./ports.ts";

/** A notice that ends its command. */
export type Ending = Exclude<Notice, { on: "prompt" } | { on: "slot" } | { on: "restart-soon" }>;

/** The terminals as payments use them: a command with its own ear, and what is known of the slot. */
export interface Devices {
  /** Sends a command; `hear` gets every notice that belongs to it, the last of which ends it. */
  begin(terminal: string, command: Command, hear: (notice: Notice) => void): void;
  isCardIn(terminal: string): boolean;
  /** The payment that used the card in the slot is over and did not wait any longer for it to be taken: the next one must not use it. */
  forget(terminal: string): void;
  /** Somebody's card may still be in the slot; only the terminal itself can say that it is not. */
  isForgotten(terminal: string): boolean;
  /** Calls once when no card is known to be in the slot: at once, when the terminal says so, or when it is gone. */
  whenSlotEmpty(terminal: string, run: () => void): Cancel;
  /** Calls once when the terminal says that its slot is empty. */
  whenCardTaken(terminal: string, run: () => void): Cancel;
  /** It rests because it starts anew by itself, as it has announced (card/notice, `restart-soon`). */
  isRestarting(terminal: string): boolean;
  /** Calls once when it does not rest any more: at once where it does not; when it is back, or out of service; or when it has not come back in time. */
  whenRestarted(terminal: string, run: () => void): Cancel;
}

/** How long after the announced time a device is waited for: one that has not started anew after five minutes is taken back (terminal/restarting), which takes a moment. */
const BACK_WITHIN_MS = 360_000;

export function isEnding(notice: Notice): notice is Ending {
  return notice.on !== "prompt" && notice.on !== "slot" && notice.on !== "restart-soon";
}

/** Which terminals have announced that they start anew, and until when each is waited for (monotonic). */
function createRestarts(
  terminals: Terminals,
  clock: Clock,
): Pick<Devices, "isRestarting" | "whenRestarted"> & { announced(terminal: string, inMs: number): void; told(terminal: string): void } {
  const until = new Map<string, number>();
  const waiters = createWaiters();
  const leftMs = (terminal: string): number => (until.get(terminal) ?? 0) - clock.monotonic();
  const isRestarting = (terminal: string): boolean => leftMs(terminal) > 0 && terminals.status(terminal)?.state === "offline";
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

/** Who waits for something of one terminal, each called once. */
function createWaiters(): { wait: (terminal: string, run: () => void) => Cancel; call: (terminal: string) => void } {
  const waiters = new Map<string, Set<() => void>>();
  return {
    wait: (terminal, run) => {
      const waiting = waiters.get(terminal) ?? new Set();
      waiters.set(terminal, waiting.add(run));
      return () => waiting.delete(run);
    },
    call: (terminal) => {
      const waiting = [...(waiters.get(terminal) ?? [])];
      waiters.delete(terminal);
      for (const run of waiting) run();
    },
  };
}

export function createDevices(terminals: Terminals, clock: Clock): Devices {
  const ears = new Map<string, (notice: Notice) => void>();
  const cardIn = new Set<string>();
  const forgotten = new Set<string>();
  const empty = createWaiters();
  const taken = createWaiters();
  const { announced, told, ...restarts } = createRestarts(terminals, clock);
  const slotSaid = (terminal: string, card: boolean): void => {
    if (card) {
      cardIn.add(terminal);
      return;
    }
    cardIn.delete(terminal);
    forgotten.delete(terminal);
    taken.call(terminal);
    empty.call(terminal);
  };
  const gone = (terminal: string): void => {
    if (cardIn.delete(terminal)) forgotten.add(terminal);
    empty.call(terminal);
  };
  terminals.listen((event) => {
    if (event.on === "status") {
      if (event.status.state !== "ready") gone(event.terminal);
      told(event.terminal);
      return;
    }
    const { terminal, notice } = event;
    if (notice.on === "slot") slotSaid(terminal, notice.card);
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
    isCardIn: (terminal) => cardIn.has(terminal),
    forget: (terminal) => {
      if (cardIn.has(terminal)) forgotten.add(terminal);
    },
    isForgotten: (terminal) => forgotten.has(terminal),
    whenSlotEmpty: (terminal, run) => {
      if (cardIn.has(terminal)) return empty.wait(terminal, run);
      run();
      return () => undefined;
    },
    whenCardTaken: taken.wait,
    ...restarts,
  };
}
