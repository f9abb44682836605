import type { Cancel, Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { cardNamed } from "../testbed/deck.ts";
import type { Memory } from "../testbed/memory.ts";
import { expiryTyped, type Panel, type Wish } from "./panel.ts";

/** How long a quick person takes, in milliseconds: least, and how much it may be longer. A whole sale with a PIN of four digits stays below a second. */
const PACE = {
  card: { least: 120, more: 80 },
  key: { least: 25, more: 25 },
  removal: { least: 120, more: 80 },
} as const;

/** A card that was asked out unread is put in again, as often as a broken chip is asked for; then its holder has understood. */
const TRIES = 3;
/** A terminal that wants nothing for so long has ended what it was doing: the next one may want the card. */
const QUIET_MS = 250;

interface Customer {
  readonly panel: Panel;
  readonly clock: Clock;
  readonly random: Random;
  readonly memory: Memory;
  card: string;
  /** False: he leaves the terminal to whoever stands before it. */
  acts: boolean;
  cancel: Cancel | undefined;
  /** He holds his card to the reader, and takes it away again when something else is wanted. */
  isShowing: boolean;
  /** How often in a row his card was asked out unread. */
  turnedAway: number;
}

export interface AutomaticCustomer {
  /** Takes another card out of his pocket: for the next time that one is asked for, and at once where one is wanted now. */
  use(card: string): void;
  /** Whether he does anything by himself; who begins again serves what is wanted at that moment. */
  act(acts: boolean): void;
  card(): string;
  acts(): boolean;
}

/**
 * A person who does what the terminal wants: presents a card, chooses an application, types PIN or number, takes the card back. Whatever the terminal wants next
 * ends what was begun.
 */
export function automaticCustomer(panel: Panel, card: string, on: Pick<Customer, "clock" | "random" | "memory">): AutomaticCustomer {
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

function after(customer: Customer, { least, more }: { readonly least: number; readonly more: number }, act: () => void): void {
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
      // Who has a number to type and no card waits until he is asked for the number.
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
  // A card that answered a tap with the wish for the slot is put there the next time.
  if (last?.name === card && last.tap === "insert-instead") panel.present(card, "insert");
  else panel.present(card);
}

function type(customer: Customer, keys: readonly string[]): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  after(customer, PACE.key, () => {
    // The next key is planned first, because this one may end the entry and with it the run of keys.
    type(customer, rest);
    customer.panel.press(key);
  });
}
