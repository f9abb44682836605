import { type CardWord, type ChipCard, chipCard } from "../../packages/sandbox/testbed/card.ts";
import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { cardNamed, deck } from "../../packages/sandbox/testbed/deck.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

export type Key = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "ENTER" | "CANCEL" | "CLEAR";

/**
 * The terminal's current request to the person: any card, a swipe, number or expiry, an application, a PIN, or removal.
 */
export type Wish = "card" | "swipe" | "number" | "expiry" | "application" | "pin" | "removal";

export const waysOfPresenting = ["insert", "tap", "swipe", "key"] as const;
export type Way = (typeof waysOfPresenting)[number];

/** A card at the reader or swiped, until the terminal reads it or the holder takes it away. */
export interface Shown {
  readonly way: "tap" | "swipe";
  readonly card: ChipCard;
}

export type Light = "power" | "card" | "busy";

/** The visible state (contract, section 5: GET screen). */
export interface Screen {
  readonly lines: readonly string[];
  readonly slot: { readonly card: string | null };
  /** A card at the reader, not read yet. */
  readonly reader: { readonly card: string | null };
  readonly lights: Readonly<Record<Light, boolean>>;
  /** The current request; null while working or idle. */
  readonly waitsFor: Wish | null;
}

/** Display, slot, keypad and lights. The device writes to the panel; a person or test reads it and presents cards. */
export interface Panel {
  screen(): Screen;
  show(lines: readonly string[]): void;
  light(name: Light, on: boolean): void;
  card(): ChipCard | undefined;
  /** The terminal starts to read the inserted card. */
  useCard(): void;
  /** Whether it has started. */
  isCardUsed(): boolean;
  /** The card presented last, whatever its result. */
  lastCard(): ChipCard | undefined;
  /** A card at the reader, not read yet. */
  shown(): Shown | undefined;
  /** The terminal has read it, or the holder took it away. */
  takeShown(): void;
  /** Default way: the holder's, by the terminal's request. Throws a SimulatorProblem if impossible. */
  present(name: string, way?: Way): void;
  /** Removes the card from the slot or the reader. */
  remove(): void;
  press(keys: string | readonly string[]): void;
  wish(): Wish | undefined;
  wishFor(wish: Wish | undefined): void;
  /** The device listens to slot, reader and keys, the automatic customer to wishes. */
  onShown(listener: () => void): void;
  onSlot(listener: () => void): void;
  onKey(listener: (key: Key) => void): void;
  onWish(listener: (wish: Wish | undefined) => void): void;
  /** Called after every visible change. */
  onChange(listener: () => void): void;
}

const WORDS: readonly Key[] = ["ENTER", "CANCEL", "CLEAR"];
const DIGITS: readonly Key[] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** Keys of "1234", "1234 ENTER" or ["1234", "ENTER"]; throws a SimulatorProblem for others. */
export function readKeys(keys: string | readonly string[]): readonly Key[] {
  const words = (typeof keys === "string" ? [keys] : keys)
    .flatMap((part) => part.split(/\s+/))
    .filter((word) => word !== "");
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

/** Throws a SimulatorProblem with all names if the card is unknown. */
export function profileNamed(name: string): CardProfile {
  const profile = cardNamed(name);
  if (profile === undefined)
    throw new SimulatorProblem(
      `no card is called ${JSON.stringify(name)}; choose one of ${deck.map((card) => card.name).join(", ")}`,
    );
  return profile;
}

/** Month and year, as typed. */
export function expiryTyped({ expiry }: CardProfile): string {
  return `${expiry.slice(2, 4)}${expiry.slice(0, 2)}`;
}

/** The holder's way to present the card for that request. */
function wayOf(profile: CardProfile, wish: Wish | undefined): Way {
  if (wish === "swipe") return "swipe";
  return wish === "number" ? "key" : profile.presents;
}

interface State {
  readonly cardSaid: ((word: CardWord) => void) | undefined;
  readonly lights: Record<Light, boolean>;
  readonly listeners: {
    readonly slot: (() => void)[];
    readonly shown: (() => void)[];
    readonly key: ((key: Key) => void)[];
    readonly wish: ((wish: Wish | undefined) => void)[];
    readonly change: (() => void)[];
  };
  lines: readonly string[];
  inserted: ChipCard | undefined;
  isUsed: boolean;
  shown: Shown | undefined;
  last: ChipCard | undefined;
  wanted: Wish | undefined;
  /** The card whose number `present` typed; its expiry follows when requested. */
  typing: CardProfile | undefined;
}

/** `cardSaid` receives every cryptogram of every presented card. */
export function createPanel(cardSaid?: (word: CardWord) => void): Panel {
  const lights = { power: true, card: false, busy: false };
  const listeners = { slot: [], shown: [], key: [], wish: [], change: [] };
  const nobody = {
    inserted: undefined,
    isUsed: false,
    shown: undefined,
    last: undefined,
    wanted: undefined,
    typing: undefined,
  };
  const state: State = { cardSaid, lights, listeners, lines: [], ...nobody };
  return {
    screen: () => screenOf(state),
    show: (next) => {
      state.lines = [...next];
      changed(state);
    },
    light: (name, on) => {
      state.lights[name] = on;
      changed(state);
    },
    card: () => state.inserted,
    useCard: () => {
      state.isUsed = true;
    },
    isCardUsed: () => state.isUsed,
    lastCard: () => state.last,
    shown: () => state.shown,
    takeShown: () => show(state, undefined),
    present: (name, way) => {
      const profile = profileNamed(name);
      present(state, profile, way ?? wayOf(profile, state.wanted));
    },
    remove: () => remove(state),
    press: (keys) => press(state, keys),
    wish: () => state.wanted,
    wishFor: (wish) => wishFor(state, wish),
    onShown: (listener) => void state.listeners.shown.push(listener),
    onSlot: (listener) => void state.listeners.slot.push(listener),
    onKey: (listener) => void state.listeners.key.push(listener),
    onWish: (listener) => void state.listeners.wish.push(listener),
    onChange: (listener) => void state.listeners.change.push(listener),
  };
}

function changed({ listeners }: State): void {
  for (const listener of listeners.change) listener();
}

function show(state: State, shown: Shown | undefined): void {
  state.shown = shown;
  changed(state);
}

function screenOf({ lines, inserted, shown, lights, wanted }: State): Screen {
  const nameOf = (card: ChipCard | undefined): string | null => card?.profile.name ?? null;
  return {
    lines,
    slot: { card: nameOf(inserted) },
    reader: { card: nameOf(shown?.card) },
    lights: { ...lights },
    waitsFor: wanted ?? null,
  };
}

function press(state: State, keys: string | readonly string[]): void {
  for (const key of readKeys(keys)) for (const listener of state.listeners.key) listener(key);
}

function slotChanged(state: State, card: ChipCard | undefined): void {
  state.inserted = card;
  state.isUsed = false;
  state.lights.card = card !== undefined;
  changed(state);
  for (const listener of state.listeners.slot) listener();
}

function present(state: State, profile: CardProfile, way: Way): void {
  const { inserted } = state;
  switch (way) {
    case "insert":
      if (inserted !== undefined)
        throw new SimulatorProblem(`${inserted.profile.name} is in the slot: pull it out first`);
      state.last = chipCard(profile, state.cardSaid);
      slotChanged(state, state.last);
      break;
    case "tap":
    case "swipe":
      if (way === "tap" && profile.tap === "none")
        throw new SimulatorProblem(`${profile.name} cannot be tapped: choose another card, or another way`);
      state.last = chipCard(profile, state.cardSaid);
      show(state, { way, card: state.last });
      for (const listener of state.listeners.shown) listener();
      break;
    case "key":
      if (state.wanted !== "number")
        throw new SimulatorProblem(
          "the terminal does not ask for a number: only a payment with nothing but manual entry does",
        );
      state.typing = profile;
      press(state, [profile.pan, "ENTER"]);
      break;
  }
}

function remove(state: State): void {
  if (state.shown !== undefined) {
    show(state, undefined);
    return;
  }
  if (state.inserted === undefined) throw new SimulatorProblem("no card is in the slot");
  slotChanged(state, undefined);
}

function wishFor(state: State, wish: Wish | undefined): void {
  if (wish === state.wanted) return;
  state.wanted = wish;
  changed(state);
  for (const listener of state.listeners.wish) listener(wish);
  const { typing } = state;
  if (wish === undefined || typing === undefined) return;
  state.typing = undefined;
  if (wish === "expiry") press(state, [expiryTyped(typing), "ENTER"]);
}
