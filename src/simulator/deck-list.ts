import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { deck } from "../../packages/sandbox/testbed/deck.ts";
import { expiryTyped, type Way } from "./panel.ts";

/** A card of the deck, for pages. */
export interface DeckCard {
  readonly name: string;
  /** One line about its special behaviour. */
  readonly title: string;
  readonly brand: string;
  readonly last4: string;
  /** `phone`: a card in a telephone; `odd`: card or holder misbehaves. */
  readonly group: "chip" | "tap" | "phone" | "stripe" | "typed" | "odd";
  /** Ways to present it; the first is its holder's. */
  readonly ways: readonly Way[];
  /** Absent if no terminal asks for it. */
  readonly pin?: string;
  /** Number and expiry (MMYY) as typed; only of cards made for typing. */
  readonly typed?: { readonly number: string; readonly expiry: string };
}

const isPhone = ({ tapVerification }: CardProfile): boolean => tapVerification === "device";

/** Cards with more extra objects than this count as odd. */
const MOST_HONEST_OBJECTS = 1;

function isOdd({
  firstDecision,
  secondDecision,
  issuerAuthentication,
  blocked,
  chip,
  typed,
  tap,
  says,
}: CardProfile): boolean {
  if (firstDecision !== "online" || secondDecision !== "as-asked" || issuerAuthentication === "refuses") return true;
  return (
    blocked ||
    chip === "unreadable" ||
    typed.length > 1 ||
    tap === "insert-instead" ||
    says.length > MOST_HONEST_OBJECTS
  );
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
  const possible: readonly Way[] = [
    ...(card.chip === "none" ? [] : (["insert"] as const)),
    ...(card.tap === "none" ? [] : (["tap"] as const)),
    "swipe",
    "key",
  ];
  return [card.presents, ...possible.filter((way) => way !== card.presents)];
}

/** Methods of a CVM list that need a PIN (EMV Book 3, annex C3), without the failure bit. */
const PIN_METHODS: readonly number[] = [1, 2, 3, 4, 5];
/** Third digits of a service code that require a PIN (ISO/IEC 7813). */
const PIN_SERVICE = /^..[03567]/;

function hasPin(card: CardProfile): boolean {
  if (isPhone(card)) return false;
  if (card.chip === "none") return PIN_SERVICE.test(card.serviceCode);
  const rules = card.cvmList.slice(16).match(/.{4}/g) ?? [];
  return rules.some((rule) => PIN_METHODS.includes(Number.parseInt(rule.slice(0, 2), 16) & 0x3f));
}

/** All cards for simulated terminals. They are public test cards, so number and PIN may be shown. */
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
