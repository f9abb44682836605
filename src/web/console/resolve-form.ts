import type { PaymentView } from "../../payment/view-schema.ts";

export type Resolution = "reversed" | "approved" | "declined";

/** Subject of the operator decision: the payment itself, a void, or the capture of an approved sale. */
type About = "payment" | "void" | "capture";

const MEANINGS: Readonly<Record<About, Readonly<Record<Resolution, string>>>> = {
  payment: {
    reversed: "Nothing is booked, or the booking was reversed. The payment ends as failed.",
    approved: "The booking stands. The payment ends as approved.",
    declined: "The issuer declined. The payment ends as declined.",
  },
  void: {
    reversed: "Not for a void: say approved or declined.",
    approved: "The void was carried out: the back office shows the reversal or refund. The void ends as approved.",
    declined: "The void was not carried out, and the original booking stands. The void ends as declined.",
  },
  capture: {
    reversed: "The capture was not booked. The sale stays approved.",
    approved: "The capture, or what was left of it, is booked. The sale stays approved.",
    declined: "The capture was declined. The sale stays approved.",
  },
};

/** Meaning of each choice for this payment. */
export function meaningOf(
  as: Resolution,
  { type, outcome, capture }: Pick<PaymentView, "type" | "outcome" | "capture">,
): string {
  if (type === "VOID") return MEANINGS.void[as];
  const isAboutCapture = (outcome === "APPROVED" || outcome === "PARTIALLY_APPROVED") && capture !== undefined;
  return MEANINGS[isAboutCapture ? "capture" : "payment"][as];
}

/** State of the form. `step`: filled in, to be confirmed, or being sent. */
export interface ResolveForm {
  readonly as: Resolution | undefined;
  readonly reason: string;
  readonly gatewayId: string;
  readonly step: "filling" | "confirming" | "sending";
  /** Submission was tried, so missing fields are shown. */
  readonly isTried: boolean;
}

export type ResolveAction =
  | { readonly is: "chosen"; readonly as: Resolution }
  | { readonly is: "reason"; readonly text: string }
  | { readonly is: "gateway-id"; readonly text: string }
  | { readonly is: "go-on" }
  | { readonly is: "back" }
  | { readonly is: "send" }
  | { readonly is: "refused" };

export const EMPTY: ResolveForm = { as: undefined, reason: "", gatewayId: "", step: "filling", isTried: false };

export function resolveForm(form: ResolveForm, action: ResolveAction): ResolveForm {
  switch (action.is) {
    case "chosen":
      return { ...form, as: action.as };
    case "reason":
      return { ...form, reason: action.text };
    case "gateway-id":
      return { ...form, gatewayId: action.text };
    case "go-on":
      return { ...form, isTried: true, step: paramsOf(form) === undefined ? "filling" : "confirming" };
    case "send":
      return { ...form, step: form.step === "confirming" ? "sending" : form.step };
    case "back":
    case "refused":
      return { ...form, step: "filling" };
  }
}

export interface Missing {
  readonly as?: string;
  readonly reason?: string;
  readonly gatewayId?: string;
}

const LONGEST_REASON = 500;

/** Fields to complete before sending. */
export function missingOf({ as, reason, gatewayId }: Pick<ResolveForm, "as" | "reason" | "gatewayId">): Missing {
  return {
    ...(as === undefined && { as: "Choose how the payment ended." }),
    ...(reason.trim() === "" && { reason: "Say why: it is kept for ever, with your register's name and the time." }),
    ...(reason.trim().length > LONGEST_REASON && { reason: `Say it in at most ${LONGEST_REASON} characters.` }),
    ...(as === "approved" &&
      !/^[A-Za-z0-9]{1,64}$/.test(gatewayId.trim()) && {
        gatewayId: "Copy the booking's id from the gateway's back office: letters and digits.",
      }),
  };
}

export interface ResolveParams {
  readonly as: Resolution;
  readonly reason: string;
  readonly gatewayId?: string;
}

/** Undefined while a field is missing. */
export function paramsOf(form: Pick<ResolveForm, "as" | "reason" | "gatewayId">): ResolveParams | undefined {
  const { as, reason, gatewayId } = form;
  if (as === undefined || Object.keys(missingOf(form)).length > 0) return undefined;
  return { as, reason: reason.trim(), ...(as === "approved" && { gatewayId: gatewayId.trim() }) };
}

const FINDINGS = {
  booked: "shows it booked",
  "booked-otherwise": "shows it booked with another amount",
  undecided: "has not decided it",
  "taken-back": "shows it reversed",
  refused: "shows it refused",
  nothing: "shows nothing of it",
  "no-answer": "did not answer",
  "not-asked": "can tell nothing of it",
} as const;

/** The gateway's report at the bridge's latest query. The operator's decision stands even if the gateway disagrees. */
export function findingText(gateway: keyof typeof FINDINGS, as: Resolution): string {
  const bearsOut =
    as === "approved"
      ? gateway === "booked"
      : gateway === "nothing" || gateway === "taken-back" || gateway === "refused";
  return `The gateway was asked once more and ${FINDINGS[gateway]}.${bearsOut ? "" : " What you said counts all the same."}`;
}
