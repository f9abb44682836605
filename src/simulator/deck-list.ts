import type { CardProfile } from "../testbed/card-profile.ts";
import { deck } from "../testbed/deck.ts";
import { expiryTyped, type Way } from "./panel.ts";

/** A card of the deck as a person sees it lie before him. */
export interface DeckCard {
  readonly name: string;
  /** One line on what is special about it. */
  readonly title: string;
  readonly brand: string;
  readonly last4: string;
  /** `phone` is a card in a telephone; `odd` ones misbehave, or their holders do. */
  readonly group: "chip" | "tap" | "phone" | "stripe" | "typed" | "odd";
  /** How it can be presented; the first is what its holder does. */
  readonly ways: readonly Way[];
  /** Where it has one that a terminal may ask for. */
  readonly pin?: string;
  /** Number and expiry (MMYY) as they are typed; of cards that are there to be typed. */
  readonly typed?: { readonly number: string; readonly expiry: string };
}

const isPhone = ({ tapVerification }: CardProfile): boolean => tapVerification === "device";

/** Of two objects or more that a card says besides, one is there to do harm. */
const MOST_HONEST_OBJECTS = 1;

function isOdd({ firstDecision, secondDecision, issuerAuthentication, blocked, chip, typed, tap, says }: CardProfile): boolean {
  if (firstDecision !== "online" || secondDecision !== "as-asked" || issuerAuthentication === "refuses") return true;
  return blocked || chip === "unreadable" || typed.length > 1 || tap === "insert-instead" || says.length > MOST_HONEST_OBJECTS;
}

function groupOf(card: CardProfile): DeckCard["group"] {
  if (isPhone(card)) return "phone";
  if (isOdd(card)) return "odd";
  switch (card.presents) {
    case "insert":
      return "chip";
    case "tap":
      return "tap";
    case "swipe":
      return "stripe";
    case "key":
      return "typed";
  }
}

function waysOf(card: CardProfile): readonly Way[] {
  if (isPhone(card)) return ["tap"];
  const possible: readonly Way[] = [...(card.chip === "none" ? [] : (["insert"] as const)), ...(card.tap === "none" ? [] : (["tap"] as const)), "swipe", "key"];
  return [card.presents, ...possible.filter((way) => way !== card.presents)];
}

/** Methods of a CVM list that want a PIN (EMV Book 3, annex C3), without the bit that says what follows a failure. */
const PIN_METHODS: readonly number[] = [1, 2, 3, 4, 5];
/** The third digit of a service code that wants a PIN (ISO/IEC 7813). */
const PIN_SERVICE = /^..[03567]/;

function hasPin(card: CardProfile): boolean {
  if (isPhone(card)) return false;
  if (card.chip === "none") return PIN_SERVICE.test(card.serviceCode);
  const rules = card.cvmList.slice(16).match(/.{4}/g) ?? [];
  return rules.some((rule) => PIN_METHODS.includes(Number.parseInt(rule.slice(0, 2), 16) & 0x3f));
}

/** Every card that works in a simulated terminal. All are public test cards, so that number and PIN may be shown. */
export const deckList: readonly DeckCard[] = deck.map((card) => ({
  name: card.name,
  title: card.title,
  brand: card.brand,
  last4: card.pan.slice(-4),
  group: groupOf(card),
  ways: waysOf(card),
  ...(hasPin(card) && { pin: card.pin }),
  ...(card.presents === "key" && { typed: { number: card.pan, expiry: expiryTyped(card) } }),
}));
