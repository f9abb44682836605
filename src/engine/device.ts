import type { Command } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type { Cancel } from "../kit/clock.ts";
import type { Terminals } from "./ports.ts";

/** A notice that ends its command. */
export type Ending = Exclude<Notice, { on: "prompt" } | { on: "slot" }>;

/** The terminals as one payment uses them: a command with its own ear, and whether a card is in the slot. */
export interface Devices {
  /** Sends a command; `hear` gets every notice that belongs to it, the last of which ends it. */
  begin(terminal: string, command: Command, hear: (notice: Notice) => void): void;
  isCardIn(terminal: string): boolean;
  /** The payment that used the card in the slot is over and did not wait any longer for it to be taken: the next one must not use it. */
  forget(terminal: string): void;
  isForgotten(terminal: string): boolean;
  /** Calls once when the slot is empty, at once where it is. */
  whenSlotEmpty(terminal: string, run: () => void): Cancel;
}

export function isEnding(notice: Notice): notice is Ending {
  return notice.on !== "prompt" && notice.on !== "slot";
}

export function createDevices(terminals: Terminals): Devices {
  const ears = new Map<string, (notice: Notice) => void>();
  const cardIn = new Set<string>();
  const forgotten = new Set<string>();
  const waiters = new Map<string, Set<() => void>>();
  const slotChanged = (terminal: string, card: boolean): void => {
    if (card) {
      cardIn.add(terminal);
      return;
    }
    cardIn.delete(terminal);
    forgotten.delete(terminal);
    const waiting = [...(waiters.get(terminal) ?? [])];
    waiters.delete(terminal);
    for (const run of waiting) run();
  };
  terminals.listen((event) => {
    if (event.on === "status") {
      // A terminal that is gone holds no card of ours; when it comes back it says what is in its slot.
      if (event.status.state !== "ready") slotChanged(event.terminal, false);
      return;
    }
    const { terminal, notice } = event;
    if (notice.on === "slot") slotChanged(terminal, notice.card);
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
      if (!cardIn.has(terminal)) {
        run();
        return () => undefined;
      }
      const waiting = waiters.get(terminal) ?? new Set();
      waiters.set(terminal, waiting.add(run));
      return () => waiting.delete(run);
    },
  };
}
