import { anyUnder, type Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Minor } from "../../../../src/kit/money.ts";
import type { Outcome } from "../ledger/outcome.ts";

/** Result of the risk check (specification, "Risk"). */
export interface Risk {
  /** -99999 to +99999; higher is better. */
  readonly score: number;
  readonly refusal: Outcome | undefined;
}

/** Tests may set the score. */
const SCORE = "risk.parameters[SCORE]";
const LIMIT = 99_999;
const BEST = 100;
/** One point less for each hundred of the currency; the amount alone never makes the score negative. */
const MINOR_PER_POINT = 10_000;

/** Checked if any risk. parameter is sent, and for a stand-alone check (RI); a negative score refuses. */
export function riskOf(sent: Sent, amount: Minor, isAsked: boolean): Risk | undefined {
  if (!isAsked && !anyUnder(sent, "risk.")) return undefined;
  const said = sent.get(SCORE) ?? "";
  const score = /^[+-]?[0-9]{1,5}$/.test(said)
    ? Number(said)
    : Math.max(0, BEST - Math.floor(amount / MINOR_PER_POINT));
  const bounded = Math.max(-LIMIT, Math.min(LIMIT, score));
  return {
    score: bounded,
    refusal: bounded < 0 ? { resultCode: "100.400.319", because: "risk score is below zero" } : undefined,
  };
}
