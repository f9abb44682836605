import type { Card, Model, Screen, WireEntry } from "./control-schema.ts";

/** The page's knowledge of the simulated terminal. */
export interface PageState {
  readonly link: "connecting" | "open" | "lost";
  readonly model: Model | undefined;
  readonly deck: readonly Card[];
  readonly screen: Screen | undefined;
  readonly wire: readonly WireEntry[];
  /** Name of the visitor's card. */
  readonly hand: string | undefined;
  /** Name of the card presented last. */
  readonly presented: string | undefined;
  /** The inserted card's PIN was wrong and is asked for again. */
  readonly isPinWrong: boolean;
  /** The simulated customer stopped because the visitor presented a card or pressed a key. */
  readonly tookOver: boolean;
  /** The reason why the visitor's last action failed. */
  readonly problem: string | undefined;
}

export type PageEvent =
  | { readonly on: "met"; readonly model: Model; readonly deck: readonly Card[] }
  | { readonly on: "screen"; readonly screen: Screen }
  | { readonly on: "wire"; readonly entry: WireEntry }
  | { readonly on: "lost" }
  | { readonly on: "taken"; readonly card: string }
  | { readonly on: "presented"; readonly card: string }
  | { readonly on: "took-over" }
  | { readonly on: "refused"; readonly why: string }
  | { readonly on: "done" };

export const FIRST_STATE: PageState = {
  link: "connecting",
  model: undefined,
  deck: [],
  screen: undefined,
  wire: [],
  hand: undefined,
  presented: undefined,
  isPinWrong: false,
  tookOver: false,
  problem: undefined,
};

/** Maximum number of frames. */
const MOST_WIRE = 300;

export function nextState(state: PageState, event: PageEvent): PageState {
  switch (event.on) {
    case "met":
      return { ...state, model: event.model, deck: event.deck, hand: state.hand ?? firstHand(event.deck, event.model) };
    case "screen":
      return seen(state, event.screen);
    case "wire":
      return heard(state, event.entry);
    case "lost":
      return { ...state, link: "lost" };
    case "taken":
      return { ...state, hand: event.card, problem: undefined };
    case "presented":
      return { ...state, presented: event.card, problem: undefined };
    case "took-over":
      return { ...state, tookOver: true };
    case "refused":
      return { ...state, problem: event.why };
    case "done":
      return { ...state, problem: undefined };
  }
}

function seen(state: PageState, screen: Screen): PageState {
  const presented =
    screen.slot.card ?? screen.reader.card ?? (screen.customer?.acts === true ? screen.customer.card : state.presented);
  const tookOver = state.tookOver && screen.customer?.acts === false;
  return {
    ...state,
    link: "open",
    screen,
    presented,
    hand: handOf(state, screen),
    isPinWrong: isPinWrong(state, screen),
    tookOver,
  };
}

/** Another window may choose the customer's card too; the visitor's card follows. */
function handOf({ hand, screen: before }: PageState, { customer }: Screen): string | undefined {
  return customer === null || customer.card === before?.customer?.card ? hand : customer.card;
}

/** The display shows it only briefly; it stays true until the next PIN is accepted or the card is gone. */
function isPinWrong(before: PageState, { lines, waitsFor, slot, lights }: Screen): boolean {
  if (lines.some((line) => /wrong pin/i.test(line))) return true;
  const isAtIt = waitsFor === "pin" || (waitsFor === null && (slot.card !== null || lights.busy));
  return before.isPinWrong && isAtIt;
}

/** A reopened stream repeats the last frames. A stream that starts from 1 belongs to another terminal. */
function heard(state: PageState, entry: WireEntry): PageState {
  const last = state.wire.at(-1)?.n ?? 0;
  if (entry.n === 1) return { ...state, wire: [entry] };
  if (entry.n <= last) return state;
  return { ...state, wire: [...state.wire, entry].slice(-MOST_WIRE) };
}

/** The deck's first card for this model. */
function firstHand(deck: readonly Card[], { shape }: Model): string | undefined {
  const fits = deck.find(
    ({ ways }) => (shape.slot && ways[0] === "insert") || (!shape.slot && shape.contactless && ways[0] === "tap"),
  );
  return (fits ?? deck[0])?.name;
}

/** A resumed customer pays with the chosen card. */
export function customerOrder({ hand }: PageState, acts: boolean): { readonly acts: boolean; readonly card?: string } {
  return acts && hand !== undefined ? { acts, card: hand } : { acts };
}

export function cardNamed({ deck }: PageState, name: string | null | undefined): Card | undefined {
  return deck.find((card) => card.name === name);
}
