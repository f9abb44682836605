import type { RegisterClient } from "../client/client.ts";
import { connect } from "../client/register.ts";
import { sleep } from "../kit/clock.ts";
import { systemClock } from "../kit/system-clock.ts";
import type { PaymentView } from "../payment/view-schema.ts";
import type { Demo } from "./demo.ts";

/** Limit for the terminal to become ready. */
const TERMINAL_READY_MS = 10_000;
const LOOK_EVERY_MS = 25;

export interface DemoSale {
  readonly payment: PaymentView;
  readonly receipt: string;
}

/**
 * A register's sale of 12.34 EUR: connects, starts, watches, confirms the signature if no PIN was typed, and fetches
 * the customer's receipt.
 */
export async function makeDemoSale({ url, token }: Demo, step: (line: string) => void): Promise<DemoSale> {
  const register = connect({ url, token: token.reveal() });
  try {
    await register.ask(terminalReady);
    step("selling for 12.34 EUR");
    const sale = register.start({
      reference: `demo-${systemClock.now()}`,
      type: "SALE",
      terminal: "till-1",
      currency: "EUR",
      amount: "12.34",
    });
    const { reference } = sale;
    for await (const { state, prompt } of sale) {
      step(`  ${state}${prompt === undefined ? "" : `: ${prompt.text}`}`);
      if (prompt?.code !== "SIGN") continue;
      step("the signature is the cardholder's");
      await register.confirmSignature({ reference }, true);
    }
    const payment = await sale.final;
    const receipt = await register.receipt({ reference }, { copy: "customer", format: "text" });
    return { payment, receipt: typeof receipt === "string" ? receipt : receipt.text };
  } finally {
    register.close();
  }
}

async function terminalReady(register: RegisterClient): Promise<void> {
  const until = systemClock.monotonic() + TERMINAL_READY_MS;
  for (;;) {
    const [terminal] = await register.terminals();
    if (terminal?.state === "ready") return;
    if (systemClock.monotonic() > until)
      throw new Error(`the simulated terminal did not become ready: ${terminal?.reason ?? "no reason given"}`);
    await sleep(systemClock, LOOK_EVERY_MS);
  }
}
