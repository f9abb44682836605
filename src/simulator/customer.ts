import { cardNamed } from "../../packages/sandbox/testbed/deck.ts";
import type { Memory } from "../../packages/sandbox/testbed/memory.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { expiryTyped, type Panel, type Wish } from "./panel.ts";

/**
 * A quick person's times in milliseconds: `least`, plus up to `more`. A whole sale with a PIN of four digits stays
 * below a second.
 */
const PACE = {
  card: { least: 120, more: 80 },
  key: { least: 25, more: 25 },
  removal: { least: 120, more: 80 },
} as const;

/** Maximum insertions of a card that is ejected unread: as many as are requested for a broken chip. */
const TRIES = 3;
/** Without a wish for this time the transaction is over, and the count of failed insertions restarts. */
const QUIET_MS = 250;

interface Customer {
  readonly panel: Panel;
  readonly clock: Clock;
  readonly random: Random;
  readonly memory: Memory;
  card: string;
  /** False: the terminal is left to other people. */
  acts: boolean;
  cancel: Cancel | undefined;
  /** The card is at the reader; it is taken away when the wish changes. */
  isShowing: boolean;
  /** Consecutive ejections of the card unread. */
  turnedAway: number;
}

export interface AutomaticCustomer {
  /** Changes the card for the next request, or at once if a card is wanted now. */
  use(card: string): void;
  /** Turns automatic actions on or off; turning on serves the current wish at once. */
  act(acts: boolean): void;
  card(): string;
  acts(): boolean;
}

/**
 * A person who follows the terminal: presents, chooses, types, removes the card. A new wish ends the current action.
 */
export function automaticCustomer(
  panel: Panel,
  card: string,
  on: Pick<Customer, "clock" | "random" | "memory">,
): AutomaticCustomer {
  const customer: Customer = {
    panel,
    card,
    acts: true,
    clock: on.clock,
    random: on.random,
    memory: on.memory,
    cancel: undefined,
    isShowing: false,
    turnedAway: 0,
  };
  const stop = (): void => {
    customer.cancel?.();
    customer.cancel = undefined;
    if (customer.isShowing) panel.takeShown();
    customer.isShowing = false;
  };
  panel.onWish((wish) => {
    stop();
    if (customer.acts) serve(customer, wish);
  });
  return {
    use: (next) => {
      customer.card = next;
      customer.turnedAway = 0;
      const wish = panel.wish();
      if (!customer.acts || (wish !== "card" && wish !== "swipe")) return;
      stop();
      serve(customer, wish);
    },
    act: (acts) => {
      if (acts === customer.acts) return;
      customer.acts = acts;
      stop();
      if (acts) serve(customer, panel.wish());
    },
    card: () => customer.card,
    acts: () => customer.acts,
  };
}

function after(
  customer: Customer,
  { least, more }: { readonly least: number; readonly more: number },
  act: () => void,
): void {
  const [luck = 0] = customer.random.bytes(1);
  customer.cancel = customer.clock.after(least + Math.floor((luck * more) / 256), act);
}

function serve(customer: Customer, wish: Wish | undefined): void {
  const { panel, memory, card } = customer;
  const inserted = panel.card()?.profile;
  switch (wish) {
    case undefined:
      customer.cancel = customer.clock.after(QUIET_MS, () => {
        customer.turnedAway = 0;
      });
      break;
    case "card": {
      const way = cardNamed(card)?.presents;
      // A holder who types the number waits until the terminal asks for it.
      const isOfUse = way !== "key" && (way !== "insert" || customer.turnedAway < TRIES);
      if (inserted === undefined && isOfUse) after(customer, PACE.card, () => present(customer));
      break;
    }
    case "swipe":
      if (inserted === undefined) after(customer, PACE.card, () => present(customer));
      break;
    case "number": {
      const profile = cardNamed(card);
      if (profile !== undefined) type(customer, [...profile.pan, "ENTER"]);
      break;
    }
    case "expiry": {
      const profile = cardNamed(card);
      if (profile !== undefined) type(customer, [...expiryTyped(profile), "ENTER"]);
      break;
    }
    case "application":
      if (inserted !== undefined) type(customer, [String(inserted.choice), "ENTER"]);
      break;
    case "pin": {
      const holder = inserted ?? panel.lastCard()?.profile;
      if (holder !== undefined) {
        const pin = holder.typed[memory.nextTyped(holder.name) % holder.typed.length] ?? holder.pin;
        type(customer, [...pin, "ENTER"]);
      }
      break;
    }
    case "removal":
      if (inserted === undefined) break;
      customer.turnedAway = panel.isCardUsed() ? 0 : customer.turnedAway + 1;
      after(customer, PACE.removal, () => panel.remove());
      break;
  }
}

function present(customer: Customer): void {
  const { card, panel } = customer;
  const last = panel.lastCard()?.profile;
  customer.isShowing = true;
  // A card that answered a tap with "try another interface" is inserted the next time.
  if (last?.name === card && last.tap === "insert-instead") panel.present(card, "insert");
  else panel.present(card);
}

function type(customer: Customer, keys: readonly string[]): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  after(customer, PACE.key, () => {
    // The next key is planned first, because this key may end the entry and so cancel the rest.
    type(customer, rest);
    customer.panel.press(key);
  });
}
