import type { Cancel } from "../../kit/clock.ts";
import { createWaiters } from "../shell/waiters.ts";

/**
 * What is known of one slot. A card is only the next customer's where this process has seen that the slot was empty before it: what was put in while nobody looked may be
 * the card of the payment before, which a lost link or a killed bridge left there.
 *
 * `doubted`: nothing was told since the terminal was connected. `awaited`: the same, but a card has been asked for long enough that one which was there already would have shown.
 * `left`: a card is in that is nobody's, or an earlier payment's. `untold`: the device does not tell of its slot, and nothing is ever believed of it.
 */
type Slot = "doubted" | "awaited" | "empty" | "in" | "left" | "untold";

/** What payments ask about slots. */
export interface Slots {
  isCardIn(terminal: string): boolean;
  /** The terminal has said that its slot is empty: it is known, and not only that nothing was told of a card. */
  isEmpty(terminal: string): boolean;
  /** The payment that used the card in the slot is over and did not wait any longer for it to be taken: the next one must not use it. */
  forget(terminal: string): void;
  /** A card is in the slot that the next payment must not use; only the terminal itself can say that it is not there any more. */
  isForgotten(terminal: string): boolean;
  /** Somebody's card may be in the slot: the terminal has not told of it since it was connected. */
  isDoubted(terminal: string): boolean;
  /** From now on a card that is told of was put in just now. What is called takes that back, where none was told of. */
  awaitCard(terminal: string): Cancel;
  /** Calls once when no card is known to be in the slot: at once, when the terminal says so, or when it is gone. */
  whenSlotEmpty(terminal: string, run: () => void): Cancel;
  /** Calls once when the terminal says that its slot is empty. */
  whenCardTaken(terminal: string, run: () => void): Cancel;
  /** Calls once when the terminal tells of its slot, or is gone. */
  whenTold(terminal: string, run: () => void): Cancel;
  /** Calls once when the terminal says that a card is in its slot which may have been there before. */
  whenLeftIn(terminal: string, run: () => void): Cancel;
}

/** What is heard of slots. */
interface Hearing {
  told(terminal: string, card: boolean): void;
  untold(terminal: string): void;
  /** The terminal is not ready: what it told is not true any more. */
  gone(terminal: string): void;
}

export function createSlots(): Slots & Hearing {
  const slots = new Map<string, Slot>();
  const empty = createWaiters();
  const taken = createWaiters();
  const left = createWaiters();
  const known = createWaiters();
  const of = (terminal: string): Slot => slots.get(terminal) ?? "doubted";
  const isCardIn = (terminal: string): boolean => of(terminal) === "in" || of(terminal) === "left";
  return {
    isCardIn,
    isEmpty: (terminal) => of(terminal) === "empty",
    forget: (terminal) => {
      if (of(terminal) === "in") slots.set(terminal, "left");
    },
    isForgotten: (terminal) => of(terminal) === "left",
    isDoubted: (terminal) => of(terminal) === "doubted" || of(terminal) === "awaited",
    awaitCard: (terminal) => {
      if (of(terminal) === "doubted") slots.set(terminal, "awaited");
      return () => {
        if (of(terminal) === "awaited") slots.set(terminal, "doubted");
      };
    },
    whenSlotEmpty: (terminal, run) => {
      if (isCardIn(terminal)) return empty.wait(terminal, run);
      run();
      return () => undefined;
    },
    whenCardTaken: taken.wait,
    whenTold: known.wait,
    whenLeftIn: left.wait,
    told: (terminal, card) => {
      if (!card) {
        slots.set(terminal, "empty");
        taken.call(terminal);
        empty.call(terminal);
      } else if (of(terminal) === "doubted") {
        slots.set(terminal, "left");
        left.call(terminal);
      } else if (!isCardIn(terminal)) slots.set(terminal, "in");
      known.call(terminal);
    },
    untold: (terminal) => {
      slots.set(terminal, "untold");
      known.call(terminal);
    },
    gone: (terminal) => {
      slots.delete(terminal);
      empty.call(terminal);
      known.call(terminal);
    },
  };
}
