import type { CollectRequest, PinRequest } from "../../card/command.ts";
import { currencyOf } from "../../kit/money.ts";
import { cardWaitMs, type Payment } from "../../payment/state.ts";
import type { EffectPorts } from "../shell/effect-ports.ts";

/** The request for a card: amount, allowed interfaces, and the reason if asked again. */
export function collectRequest({ localTime }: Pick<EffectPorts, "localTime">, payment: Payment): CollectRequest {
  const { accepted, ask } = payment;
  return {
    ...money(payment),
    transactionType: accepted.type === "REFUND" ? "20" : "00",
    interfaces: ask?.interfaces ?? accepted.interfaces ?? [],
    now: localTime(),
    cardMs: cardWaitMs(payment),
    pinMs: accepted.rules.pinMs,
    ...(ask !== undefined && { again: ask.again }),
  };
}

export function pinRequest(payment: Payment): PinRequest {
  return { ...money(payment), pinMs: payment.accepted.rules.pinMs };
}

function money({
  accepted,
}: Payment): Pick<CollectRequest, "amount" | "currencyNumeric" | "currencyCode" | "decimals"> {
  const currency = currencyOf(accepted.currency);
  return {
    amount: accepted.amount,
    currencyNumeric: currency?.numeric ?? "999",
    currencyCode: accepted.currency,
    decimals: currency?.decimals ?? 2,
  };
}
