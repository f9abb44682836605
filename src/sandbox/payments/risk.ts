import { anyUnder, type Sent } from "../../gateway/parameters/chapter.ts";
import type { Minor } from "../../kit/money.ts";
import type { Outcome } from "../ledger/outcome.ts";

/** What the risk check says of a payment (specification, "Risk"). */
export interface Risk {
  /** -99999 to +99999; the higher the better. */
  readonly score: number;
  readonly refusal: Outcome | undefined;
}

/** Who tests says the score himself. */
const SCORE = "risk.parameters[SCORE]";
const LIMIT = 99_999;
const BEST = 100;
/** One point less for each hundred of the currency, which never makes a bad risk by itself. */
const MINOR_PER_POINT = 10_000;

/** Made for whoever sends anything under risk., and for a stand-alone check (RI); a score below zero is a refusal. */
export function riskOf(sent: Sent, amount: Minor, isAsked: boolean): Risk | undefined {
  if (!isAsked && !anyUnder(sent, "risk.")) return undefined;
  const said = sent.get(SCORE) ?? "";
  const score = /^[+-]?[0-9]{1,5}$/.test(said) ? Number(said) : Math.max(0, BEST - Math.floor(amount / MINOR_PER_POINT));
  const bounded = Math.max(-LIMIT, Math.min(LIMIT, score));
  return { score: bounded, refusal: bounded < 0 ? { resultCode: "100.400.319", because: "risk score is below zero" } : undefined };
}
