import type { PaymentView } from "../../src/payment/view-schema.ts";
import type { TestTerminal } from "./terminal.ts";
import type { Till } from "./till.ts";

interface Sale {
  readonly till: Till;
  readonly terminal: TestTerminal;
  readonly reference: string;
  readonly amount?: string;
  readonly type?: "SALE" | "PREAUTHORIZATION";
  /** A card of `simulate --list` that asks for a PIN. */
  readonly card?: string;
  readonly pin?: string;
}

/** The start of a sale, as every register of these tests sends it. */
export function saleOf(terminal: TestTerminal, reference: string, amount = "12.34") {
  return { reference, type: "SALE" as const, terminal: terminal.id, currency: "EUR", amount };
}

/** Starts a sale; resolves when the terminal asks for a card. */
export async function untilCardIsAsked({ till, terminal, reference, amount, type = "SALE" }: Sale): Promise<void> {
  await till.client.startPayment({ ...saleOf(terminal, reference, amount), type });
  await till.prompt(reference, "INSERT_OR_TAP");
}

/** The customer puts the card in; resolves when the terminal asks for the PIN. */
export async function untilPinIsAsked(sale: Sale): Promise<void> {
  await untilCardIsAsked(sale);
  await sale.terminal.present(sale.card ?? "visa-contact");
  await sale.till.prompt(sale.reference, "ENTER_PIN");
}

/** The customer types the PIN; resolves when the host is being asked. */
export async function untilHostIsAsked(sale: Sale): Promise<void> {
  await untilPinIsAsked(sale);
  await sale.terminal.press(`${sale.pin ?? "1234"} ENTER`);
  await sale.till.state(sale.reference, "AUTHORIZING");
}

/** A whole sale, the card taken out at its end. */
export async function sell(sale: Sale): Promise<PaymentView> {
  await untilHostIsAsked(sale);
  const payment = await sale.till.settled(sale.reference);
  await cardOut(sale);
  return payment;
}

/**
 * Takes the card out, where one is in, and resolves when the terminal is free for the next sale and the bridge knows
 * that its slot is empty: the device tells that before
 * it answers a test.
 */
export async function cardOut({ till, terminal }: Pick<Sale, "till" | "terminal">): Promise<void> {
  const isIn = (await terminal.screen()).slot.card !== null;
  if (isIn) await terminal.pull();
  await terminalReady(till, terminal);
  if (isIn) await till.client.testTerminal(terminal.id);
}

/** Looks until the terminal is ready for a sale; the register API tells no changes of terminals. */
export async function terminalReady({ client, waiting }: Till, { id }: TestTerminal, withinMs = 60_000): Promise<void> {
  const until = waiting.now() + withinMs;
  for (;;) {
    const found = (await client.terminals()).find((terminal) => terminal.id === id);
    if (found?.state === "ready") return;
    if (waiting.now() > until)
      throw new Error(`${id} is ${found?.state} after ${withinMs} ms: ${found?.reason ?? `held by ${found?.payment}`}`);
    await waiting.pause(50);
  }
}
