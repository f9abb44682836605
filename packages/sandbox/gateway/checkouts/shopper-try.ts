import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import { type Paid, pay } from "../payments/payments.ts";
import type { Bend } from "../prepared.ts";
import { registerAccount } from "../registrations/register-account.ts";
import { NO_SUCH_REGISTRATION, registrationAt } from "../registrations/stored-accounts.ts";
import { payByRegistration } from "../registrations/stored-payments.ts";
import { bareReply } from "../replies.ts";
import { type Checkout, stampOfCheckout } from "./checkout.ts";

/** Books the shopper's entry: a payment with a new or stored account, or a registration. */
export function bookTry(context: Context, checkout: Pick<Checkout, "id" | "kind">, sent: Sent, bend: Bend): Paid {
  if (checkout.kind === "registration") return registerAccount(context, sent, { bend, checkoutId: checkout.id });
  const token = sent.get("registrationId");
  return token === undefined
    ? pay(context, sent, { bend, way: { checkoutId: checkout.id } })
    : payStored(context, checkout.id, token, sent, bend);
}

/** One-click payment ("Tokenization rules"). */
function payStored(context: Context, checkoutId: string, id: string, sent: Sent, bend: Bend): Paid {
  const registration = registrationAt(context, id, sent.get("entityId"));
  if (registration === undefined)
    return { is: "refused", reply: bareReply(404, NO_SUCH_REGISTRATION, stampOfCheckout(context, checkoutId)) };
  const others = new Map([...sent].filter(([name]) => name !== "registrationId"));
  return payByRegistration(context, others, registration, { checkoutId }, bend);
}
