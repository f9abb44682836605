import type { Card, Model, Screen, Way } from "./control-schema.ts";

/** Ways to present this card to this model. */
export function waysFor({ ways }: Card, { shape, capabilities }: Model): readonly Way[] {
  const takes: Readonly<Record<Way, boolean>> = {
    insert: shape.slot,
    tap: shape.contactless,
    swipe: shape.stripe,
    key: capabilities.interfaces.includes("keyed"),
  };
  return ways.filter((way) => takes[way]);
}

/** The way that the terminal asks for, else the holder's usual way. */
export function bestWay(card: Card, model: Model, screen?: Screen): Way | undefined {
  const ways = waysFor(card, model);
  const wanted = screen?.waitsFor === "swipe" ? "swipe" : screen?.waitsFor === "number" ? "key" : undefined;
  return ways.find((way) => way === wanted) ?? ways.find((way) => way !== "key");
}

/** Digits in groups of four, as on a card. */
export const spaced = (digits: string): string => (digits.match(/.{1,4}/g) ?? []).join(" ");

interface Hinted {
  readonly screen: Screen;
  readonly model: Model;
  /** The visitor's card. */
  readonly hand: Card;
  /** The card that the terminal is working with, if known. */
  readonly presented: Card | undefined;
  readonly isPinWrong: boolean;
}

/** The visitor's next step, in one or two sentences. */
export function hintOf(hinted: Hinted): string {
  const { screen, model, hand } = hinted;
  if (!screen.plugged)
    return screen.lights.power
      ? "The cable is out. Plug it in: the bridge finds the terminal again by itself."
      : "It starts again. Give it a moment.";
  if (screen.hung) return "It hangs: it hears nothing and says nothing. Only a restart helps.";
  if (screen.customer?.acts === true && screen.waitsFor !== null) return customerHint(screen, model, hand);
  return wishHint(hinted);
}

/** The automatic customer uses the visitor's card. */
function customerHint({ waitsFor }: Screen, model: Model, hand: Card): string {
  if (waitsFor === "card" && bestWay(hand, model) === undefined)
    return "This model cannot read the customer’s card. Choose another one for him.";
  if (waitsFor === "card" && hand.group === "typed")
    return "The customer has a number to type, and no card. Cancel, and sell with the number typed; or choose a card for him.";
  return "The simulated customer is at it. Present a card or press a key to be the customer yourself.";
}

function wishHint({ screen, model, hand, presented, isPinWrong }: Hinted): string {
  switch (screen.waitsFor) {
    case "card": {
      const way = bestWay(hand, model, screen);
      return way === undefined
        ? "It waits for a card. This model cannot read the one in your hand: take another."
        : `It waits for a card: ${WAY_WORDS[way]}`;
    }
    case "swipe":
      return "It waits for the stripe: swipe the card.";
    case "number": {
      const number = hand.typed?.number;
      return number === undefined
        ? "It asks for a card number. The card “manual” is there to be typed."
        : `It asks for the number: ${spaced(number)}, then the green key.`;
    }
    case "expiry":
      return hand.typed === undefined
        ? "It asks for the expiry, month and year."
        : `It asks for month and year: ${hand.typed.expiry}, then the green key.`;
    case "application":
      return "The card has two applications. Press 1 or 2, then the green key.";
    case "pin":
      if (isPinWrong)
        return `The PIN was wrong, so it is asked for again${presented?.pin === undefined ? "" : `: it is ${presented.pin}`}. Then the green key.`;
      return presented?.pin === undefined
        ? "It asks for the PIN. Four digits, then the green key."
        : `It asks for the PIN, which is ${presented.pin}. Then the green key. Any other four digits are a wrong PIN.`;
    case "removal":
      return isPinWrong
        ? "The PIN was wrong. Leave the card in: the PIN is asked for again."
        : "It is done with the card. Take it out.";
    case null:
      return restHint(screen);
  }
}

function restHint({ lights, slot, reader }: Screen): string {
  if (reader.card !== null)
    return "The card is held to the terminal, which does not ask for one. It is read as soon as a sale begins.";
  if (lights.busy)
    return slot.card === null
      ? "It works with the card. The bridge asks the gateway."
      : "It works with the card. Pull it out now, and see who notices.";
  if (slot.card !== null) return "The card is in. Pull it out, or start a sale, here or at the till.";
  return "It rests. Start a sale, here or at the till.";
}

const WAY_WORDS: Readonly<Record<Way, string>> = {
  insert: "insert yours, or hold it to the terminal if it can.",
  tap: "hold yours to the terminal.",
  swipe: "swipe yours.",
  key: "type its number.",
};
