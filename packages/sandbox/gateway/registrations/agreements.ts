import { EMPTY_MESSAGE, type ParameterProblem, type Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import { type Booking, resultCodeAt } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import type { Registration } from "./stored-accounts.ts";

const INITIAL = "standingInstruction.initialTransactionId";
const AGREEMENT = "standingInstruction.agreementId";

/** References that the first payment of an agreement received. */
interface Agreement {
  readonly initialTransactionId: string;
  readonly agreementId: string | undefined;
}

/**
 * References required in a merchant-initiated payment (specification, "Card on file": "returned and expected in MIT
 * requests"), if a payment with this card received any.
 */
export function agreementProblems(
  context: Context,
  sent: Sent,
  registration: Registration,
): readonly ParameterProblem[] {
  if (sent.get("standingInstruction.source") !== "MIT" || sent.get("standingInstruction.mode") !== "REPEATED")
    return [];
  if (!["PA", "DB"].includes(sent.get("paymentType") ?? "")) return [];
  const known = agreementsOf(context, registration);
  if (known.length === 0) return [];
  const [initial, agreement] = [sent.get(INITIAL), sent.get(AGREEMENT)];
  const meant = known.filter(({ initialTransactionId }) => initialTransactionId === initial);
  if (meant.length === 0) return [problem(INITIAL, initial)];
  const isNamed = meant.some(({ agreementId }) => agreementId === undefined || agreementId === agreement);
  return isNamed ? [] : [problem(AGREEMENT, agreement)];
}

function problem(name: string, value: string | undefined): ParameterProblem {
  return {
    name,
    value: value ?? "",
    message: value === undefined ? EMPTY_MESSAGE : "must be what the first payment of the agreement was told",
  };
}

function agreementsOf({ store, clock }: Context, { id, booking }: Registration): readonly Agreement[] {
  return [booking, ...store.chargesOf(id)].flatMap((payment) =>
    isSuccess(resultCodeAt(payment, clock.now())) ? toldWith(payment) : [],
  );
}

/** Only the first payment's references count; later payments repeat what the merchant sent. */
function toldWith({ parameters, issuer: { standingInstruction } }: Booking): readonly Agreement[] {
  const { initialTransactionId, agreementId } = standingInstruction ?? {};
  if (parameters["standingInstruction.mode"] !== "INITIAL" || typeof initialTransactionId !== "string") return [];
  return [{ initialTransactionId, agreementId: typeof agreementId === "string" ? agreementId : undefined }];
}
