import { type ChipCard, chipCard } from "../testbed/card.ts";
import { type CardProfile, cardNamed, deck } from "../testbed/deck.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

export type Key = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "ENTER" | "CANCEL" | "CLEAR";

/** What the terminal wants of the person before it. */
export type Wish = "card" | "pin" | "removal";

export type Light = "power" | "card" | "busy";

/** What a person sees (contract, section 5: GET screen). */
export interface Screen {
  readonly lines: readonly string[];
  readonly slot: { readonly card: string | null };
  readonly lights: Readonly<Record<Light, boolean>>;
  /** What it waits for, null while it works or is idle. */
  readonly waitsFor: Wish | null;
}

/** Display, slot, keypad and lights of a terminal: the device writes to it, a person (or a test) reads it and puts in cards. */
export interface Panel {
  screen(): Screen;
  show(lines: readonly string[]): void;
  light(name: Light, on: boolean): void;
  card(): ChipCard | undefined;
  insert(name: string): void;
  remove(): void;
  press(keys: string | readonly string[]): void;
  wish(): Wish | undefined;
  wishFor(wish: Wish | undefined): void;
  /** The device listens to slot and keys; the automatic customer to wishes. */
  onSlot(listener: () => void): void;
  onKey(listener: (key: Key) => void): void;
  onWish(listener: (wish: Wish | undefined) => void): void;
}

const WORDS: readonly Key[] = ["ENTER", "CANCEL", "CLEAR"];
const DIGITS: readonly Key[] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** Keys of "1234", "1234 ENTER" or ["1234", "ENTER"]. Throws a SimulatorProblem on anything else. */
export function readKeys(keys: string | readonly string[]): readonly Key[] {
  const words = (typeof keys === "string" ? [keys] : keys).flatMap((part) => part.split(/\s+/)).filter((word) => word !== "");
  return words.flatMap((word) => {
    const named = WORDS.find((key) => key === word.toUpperCase());
    if (named !== undefined) return [named];
    const digits = [...word].map((character) => DIGITS.find((digit) => digit === character));
    return digits.map((digit) => {
      if (digit === undefined) throw new SimulatorProblem("keys must be digits, ENTER, CANCEL or CLEAR");
      return digit;
    });
  });
}

/** The card of that name; throws a SimulatorProblem that names them all where there is none. */
export function profileNamed(name: string): CardProfile {
  const profile = cardNamed(name);
  if (profile === undefined) throw new SimulatorProblem(`no card is called ${JSON.stringify(name)}; choose one of ${deck.map((card) => card.name).join(", ")}`);
  return profile;
}

export function createPanel(): Panel {
  let lines: readonly string[] = [];
  let inserted: ChipCard | undefined;
  let wanted: Wish | undefined;
  const lights: Record<Light, boolean> = { power: true, card: false, busy: false };
  const listeners = { slot: new Set<() => void>(), key: new Set<(key: Key) => void>(), wish: new Set<(wish: Wish | undefined) => void>() };
  const slotChanged = (card: ChipCard | undefined): void => {
    inserted = card;
    lights.card = card !== undefined;
    for (const listener of listeners.slot) listener();
  };
  return {
    screen: () => ({ lines, slot: { card: inserted?.profile.name ?? null }, lights: { ...lights }, waitsFor: wanted ?? null }),
    show: (next) => {
      lines = [...next];
    },
    light: (name, on) => {
      lights[name] = on;
    },
    card: () => inserted,
    insert: (name) => {
      const profile = profileNamed(name);
      if (inserted !== undefined) throw new SimulatorProblem(`${inserted.profile.name} is in the slot: pull it out first`);
      slotChanged(chipCard(profile));
    },
    remove: () => {
      if (inserted === undefined) throw new SimulatorProblem("no card is in the slot");
      slotChanged(undefined);
    },
    press: (keys) => {
      for (const key of readKeys(keys)) for (const listener of listeners.key) listener(key);
    },
    wish: () => wanted,
    wishFor: (wish) => {
      if (wish === wanted) return;
      wanted = wish;
      for (const listener of listeners.wish) listener(wish);
    },
    onSlot: (listener) => {
      listeners.slot.add(listener);
    },
    onKey: (listener) => {
      listeners.key.add(listener);
    },
    onWish: (listener) => {
      listeners.wish.add(listener);
    },
  };
}
