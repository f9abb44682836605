import type { Listed } from "../../src/engine/ports.ts";
import { rowOf } from "../../src/engine/shell/payment-row.ts";
import { createMemoryJournal, type MemoryJournal } from "../../src/journal/memory-journal.ts";
import { markOfBridge, nameBeginnings } from "../../src/journal/signed-cursor.ts";
import { isoTime } from "../../src/kit/clock.ts";
import { fold } from "../../src/payment/state/payment.ts";
import { type Story, sale } from "./sale.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const BRIDGE = "brg_a1b2c3d4e5f60718293a4b5c";
export const MARK = markOfBridge(BRIDGE);
export const nameBegins = nameBeginnings("key", BRIDGE);

export const NOW = Date.UTC(2026, 0, 15);
export const HOUR = 3_600_000;

/** A journal that holds these payments as they stood when its backup was made. */
export async function journalWith(clock: VirtualClock, ...stories: readonly Story[]): Promise<MemoryJournal> {
  const journal = createMemoryJournal({ clock, appendDelayMs: 1 });
  for (const { facts } of stories) {
    for (const [at, fact] of facts.entries()) {
      const payment = fold(facts.slice(0, at + 1));
      if (payment === undefined) continue;
      const written = journal.append([fact], isoTime(fact.at), rowOf(payment));
      await clock.advance(1);
      await written;
    }
  }
  return journal;
}

/** The name of a request that the lost journal made for that reference of the register `till`. */
export function lostName(reference: string, end = "0123456789ab"): string {
  return `${nameBegins({ register: sale.register, reference })}${end}`;
}

/** A booking in the gateway's list of the time since the backup. */
export function listed(changes: Partial<Listed> = {}): Listed {
  const booking = {
    id: "lost-1",
    paymentType: "PA",
    amount: "12.34",
    currency: "EUR",
    merchantTransactionId: `${MARK}0011`,
  };
  return { ...booking, resultCode: "000.100.110", is: "booked", at: NOW, ...changes };
}
