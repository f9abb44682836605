import type { Cancel, Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { Memory } from "../testbed/memory.ts";
import type { Panel, Wish } from "./panel.ts";

/** How long a quick person takes, in milliseconds: least, and how much it may be longer. A whole sale with a PIN of four digits stays below a second. */
const PACE = {
  card: { least: 120, more: 80 },
  key: { least: 25, more: 25 },
  removal: { least: 120, more: 80 },
} as const;

interface Customer {
  readonly panel: Panel;
  readonly card: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly memory: Memory;
  cancel: Cancel | undefined;
}

/**
 * A person who does what the terminal wants: presents a card, types the PIN, takes the card back. Whatever the terminal wants next ends what was begun.
 */
export function automaticCustomer(panel: Panel, card: string, on: Pick<Customer, "clock" | "random" | "memory">): void {
  const customer: Customer = { panel, card, clock: on.clock, random: on.random, memory: on.memory, cancel: undefined };
  panel.onWish((wish) => {
    customer.cancel?.();
    customer.cancel = undefined;
    serve(customer, wish);
  });
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
      break;
    case "card":
      if (inserted === undefined) after(customer, PACE.card, () => panel.insert(card));
      break;
    case "pin":
      if (inserted !== undefined) {
        const pin = inserted.typed[memory.nextTyped(inserted.name) % inserted.typed.length] ?? inserted.pin;
        type(customer, [...pin, "ENTER"]);
      }
      break;
    case "removal":
      if (inserted !== undefined) after(customer, PACE.removal, () => panel.remove());
      break;
  }
}

function type(customer: Customer, keys: readonly string[]): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  after(customer, PACE.key, () => {
    // The next key is planned first, because this one may end PIN entry and with it the run of keys.
    type(customer, rest);
    customer.panel.press(key);
  });
}
