import type { PaymentView } from "../../src/payment/public.ts";
import type { Payments } from "../../src/register/ports.ts";
import type { Booking } from "../../src/sandbox/booking.ts";
import type { VirtualClock } from "../support/virtual-clock.ts";

/** What one register was told of one payment. */
export interface Told {
  readonly reference: string;
  readonly register: string;
  readonly amount: number;
  readonly decisions: Set<string>;
  last: PaymentView | undefined;
}

/** Codes with which this gateway moves money; a list of its own, so that a mistake in the product's or the sandbox's tables shows here. */
const MOVES_MONEY = /^(000\.000\.|000\.100\.1|000\.400\.0[^3]|000\.400\.1[012]0|900\.100\.300$|000\.400\.030$)/;

export interface Audit {
  /** How each payment ended. */
  readonly outcomes: readonly string[];
  /** One line each. */
  readonly violations: readonly string[];
}

/** Compares what the gateway's ledger holds with what the registers were told (contract, truths 1 to 4). */
export async function audit(told: readonly Told[], ledger: readonly Booking[], payments: Payments, clock: VirtualClock): Promise<Audit> {
  const found: string[] = [];
  const outcomes: string[] = [];
  const explained = new Set<string>();
  for (const one of told) {
    if (one.last === undefined) {
      outcomes.push("never accepted");
      continue;
    }
    const asked = payments.get({ register: one.register, all: false }, { reference: one.reference });
    await clock.settle();
    const now = await asked;
    if (!now.ok) {
      found.push(`${one.reference}: accepted once, and now ${now.refusal.code}`);
      continue;
    }
    outcomes.push([now.value.outcome ?? now.value.state, now.value.reason?.code].filter((part) => part !== undefined).join(" "));
    for (const { merchantTransactionId } of now.value.gateway?.attempts ?? []) explained.add(merchantTransactionId);
    found.push(...contradictions(one, now.value, ledger).map((problem) => `${one.reference}: ${problem}`));
  }
  const strange = ledger.filter(({ merchantTransactionId }) => merchantTransactionId === undefined || !explained.has(merchantTransactionId));
  found.push(...strange.map(({ id, paymentType }) => `the ledger holds ${paymentType} ${id} that no payment knows`));
  return { outcomes, violations: found };
}

function contradictions(told: Told, now: PaymentView, ledger: readonly Booking[]): readonly string[] {
  const problems: string[] = [];
  const own = new Set(now.gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId));
  const booked = ledger.filter((booking) => own.has(booking.merchantTransactionId ?? "") && MOVES_MONEY.test(booking.resultCode));
  const sum = (type: string): number => booked.filter(({ paymentType }) => paymentType === type).reduce((total, { amount = 0 }) => total + amount, 0);
  // A debit is reserved and captured at once.
  const [reserved, captured, reversed] = [sum("PA") + sum("DB"), sum("CP") + sum("DB"), sum("RV") + sum("RF")];
  if (told.decisions.size > 1) problems.push(`was told ${[...told.decisions].join(" and ")}`);
  if (now.decision !== undefined && told.decisions.size > 0 && !told.decisions.has(now.decision))
    problems.push(`was told another decision than ${now.decision}`);
  if (now.state !== "FINAL") problems.push(`still ${now.state} after everything was healed (${now.reason?.code ?? "no reason"})`);
  if (reserved > told.amount || captured > told.amount) problems.push(`booked ${reserved}/${captured} for ${told.amount}`);
  if (now.outcome === "APPROVED") {
    if (reserved !== told.amount || reversed !== 0) problems.push(`approved with ${reserved} reserved, ${reversed} reversed of ${told.amount}`);
    // A capture that failed is a person's business: whether the gateway booked it is then not known here.
    if (now.capture !== "failed" && captured !== told.amount) problems.push(`capture ${now.capture} with ${captured} captured`);
    if (now.capture === "pending") problems.push("capture still pending after everything was healed");
    if (now.emv?.cryptogramType !== "TC") problems.push(`approved with a card's ${now.emv?.cryptogramType ?? "silence"}`);
  } else if (reserved - reversed !== 0 || sum("CP") !== 0) {
    problems.push(`${now.outcome ?? now.state} (${now.reason?.code ?? ""}) with ${reserved} reserved, ${reversed} reversed, ${captured} captured`);
  }
  return problems;
}
