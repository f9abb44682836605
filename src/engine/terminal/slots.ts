import type { Cancel } from "../../kit/clock.ts";
import { createWaiters } from "../shell/waiters.ts";

/**
 * State of a slot. `doubted`: unreported since the connection. `awaited`: as `doubted`, but a card present before would
 * have shown by now. `left`: a foreign card is in it. `untold`: the device never reports its slot.
 */
type Slot = "doubted" | "awaited" | "empty" | "in" | "left" | "untold";

export interface Slots {
  isCardIn(terminal: string): boolean;
  /** True only if the terminal has reported an empty slot. */
  isEmpty(terminal: string): boolean;
  /** The payment ended without waiting longer for its card's removal: the next one must not use this card. */
  forget(terminal: string): void;
  /** The slot holds a card the next payment must not use. Only the terminal can report its removal. */
  isForgotten(terminal: string): boolean;
  /** The slot may hold a foreign card: unreported since the connection. */
  isDoubted(terminal: string): boolean;
  /** From now on, a reported card counts as newly inserted. The returned function ends this, if none was reported. */
  awaitCard(terminal: string): Cancel;
  /** Calls once when no card is known in the slot: at once, on a report, or when the terminal is gone. */
  whenSlotEmpty(terminal: string, run: () => void): Cancel;
  /** Calls once when the terminal reports an empty slot. */
  whenCardTaken(terminal: string, run: () => void): Cancel;
  /** Calls once when the terminal reports its slot, or is gone. */
  whenTold(terminal: string, run: () => void): Cancel;
  /** Calls once when the terminal reports a card that may have been there before. */
  whenLeftIn(terminal: string, run: () => void): Cancel;
}

interface Hearing {
  told(terminal: string, card: boolean): void;
  untold(terminal: string): void;
  /** The terminal is not ready: its earlier reports no longer hold. */
  gone(terminal: string): void;
}

// Use a card for the next sale only if we saw the slot empty first: otherwise it may be the previous customer's.
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
