import { type Currency, formatAmount, type Minor, parseAmount } from "../../kit/money.ts";
import type { Target } from "../fact/original.ts";
import { type Granted, granted, type PaymentName, refused } from "../fact/refusal.ts";
import type { FollowUpType } from "./follow-up.ts";

/**
 * The original of a follow-up; amounts in minor units. The register captures a `reservation`; a `sale` is a DB, or a PA
 * that the bridge captures. Nothing may follow a `refund` or a void.
 */
export interface Standing {
  readonly kind: "reservation" | "sale" | "capture" | "increment" | "refund" | "registration";
  readonly name: string;
  readonly payment?: PaymentName;
  readonly undecided?: true;
  readonly gone?: true;
  readonly closed?: string;
  readonly currency: Currency;
  /**
   * Bookings that a void reverses. `payment`: an increment's payment, which must hear of the void. `capturing`: the
   * sale's CP may yet be booked, so a void waits.
   */
  readonly voids: readonly (Target & { readonly payment?: string })[];
  readonly capturing: boolean;
  readonly reserved: Minor;
  readonly captures: readonly (Target & {
    readonly refunded: Minor;
    readonly payment?: string;
    readonly last?: true;
  })[];
  readonly oneCapture: boolean;
  readonly numberOfCaptures?: number;
}

export interface AdmittedFollowUp {
  readonly amount: Minor;
  readonly targets: readonly Target[];
  readonly capturing: boolean;
  readonly last: boolean;
  readonly increments?: readonly string[];
  /** The CAPTURE payment that holds the money, if the register asked to refund its reservation. */
  readonly payment?: string;
}

type Admission = Granted<AdmittedFollowUp>;

export function admitFollowUp(type: FollowUpType, standing: Standing, asked: string | undefined): Admission {
  if (standing.undecided)
    return refused(
      "undecided-payment",
      `${standing.name} is not decided yet: wait for it`,
      "retry",
      "of",
      standing.payment,
    );
  if (standing.closed !== undefined) return notAllowed(`${standing.name} ${standing.closed}`);
  // Reversing a reservation releases only the uncaptured rest: captured money can still be refunded.
  const isOfCapture = type === "LINKED_REFUND" && standing.kind === "reservation" && standing.captures.length > 0;
  if (standing.gone && type !== "VOID" && !isOfCapture)
    return notAllowed(`${standing.name} was taken back at the gateway already`);
  switch (type) {
    case "CAPTURE":
      return capture(standing, asked);
    case "INCREMENT":
      return increment(standing, asked);
    case "LINKED_REFUND":
      return refund(standing, asked);
    case "VOID":
      return asked === undefined
        ? voided(standing)
        : refused("invalid-amount", "a void has no amount: it takes all back", "fix-request", "amount");
  }
}

function capture(standing: Standing, asked: string | undefined): Admission {
  const [target] = standing.voids;
  if (standing.kind !== "reservation" || target === undefined) {
    return notAllowed(`${standing.name} has nothing to capture: only a PREAUTHORIZATION is captured by its register`);
  }
  if (standing.oneCapture && standing.captures.length > 0)
    return notAllowed(`${standing.name} is captured already, and its channel takes one capture`);
  if (standing.captures.length >= mostCaptures(standing))
    return notAllowed(`${standing.name} is captured as often as its numberOfCaptures says`);
  const left = standing.reserved - captured(standing);
  if (left <= 0) return notAllowed(`${standing.name} is captured in full`);
  if (isCapturedLast(standing)) return notAllowed(`${standing.name} was captured for the last time`);
  const amount = amountOf(standing, asked, left, "may still be captured");
  if (!amount.ok) return amount;
  return granted({
    amount: amount.value,
    targets: [target],
    capturing: false,
    last: amount.value === left || standing.captures.length + 1 >= mostCaptures(standing),
  });
}

function mostCaptures({ oneCapture, numberOfCaptures = Number.POSITIVE_INFINITY }: Standing): number {
  return oneCapture ? 1 : numberOfCaptures;
}

function increment(standing: Standing, asked: string | undefined): Admission {
  const [target] = standing.voids;
  if (standing.kind !== "reservation" || target === undefined)
    return notAllowed(`${standing.name} cannot be raised: only a PREAUTHORIZATION can`);
  if (isCapturedLast(standing))
    return notAllowed(
      `${standing.name} was captured for the last time: what is added takes a PREAUTHORIZATION of its own`,
    );
  if (asked === undefined)
    return refused("invalid-amount", "amount is missing: say what is added", "fix-request", "amount");
  const amount = amountOf(standing, asked, undefined, "");
  return amount.ok ? granted({ amount: amount.value, targets: [target], capturing: false, last: false }) : amount;
}

/**
 * A sale may have a second CP, from the back office. The register can name only the sale: a refund takes a CP with
 * enough left.
 */
function refund(standing: Standing, asked: string | undefined): Admission {
  if (standing.kind === "refund" || standing.kind === "registration" || standing.kind === "increment")
    return notAllowed(`${standing.name} took no money: there is nothing to refund`);
  if (standing.captures.length === 0) return notAllowed(`${standing.name} is not captured: void it instead`);
  const [first, ...others] = standing.captures.filter(({ amount, refunded }) => amount > refunded);
  if (first === undefined) return notAllowed(`${standing.name} is refunded in full`);
  const only = others.length > 0 && standing.kind === "sale" ? withRoomFor(standing, asked) : first;
  if (only === undefined)
    return notAllowed(
      `${standing.name} was captured in two parts: refund them one after the other, naming each amount`,
    );
  if (others.length > 0 && standing.kind !== "sale")
    return notAllowed(`${standing.name} was captured several times: refund one of its captures`);
  const amount = amountOf(standing, asked, only.amount - only.refunded, "may still be refunded");
  if (!amount.ok) return amount;
  const { payment } = only;
  return granted({
    amount: amount.value,
    targets: [targetOf(only)],
    capturing: false,
    last: false,
    ...(payment !== undefined && { payment }),
  });
}

function targetOf({ id, paymentType, amount }: Target): Target {
  return { id, paymentType, amount };
}

function withRoomFor(
  { captures, currency }: Standing,
  asked: string | undefined,
): Standing["captures"][number] | undefined {
  const wanted = asked === undefined ? undefined : parseAmount(asked, currency);
  return wanted === undefined ? undefined : captures.find(({ amount, refunded }) => wanted <= amount - refunded);
}

function voided(standing: Standing): Admission {
  const [target] = standing.voids;
  if (target === undefined) return notAllowed(`${standing.name} cannot be voided`);
  if (standing.kind === "reservation" && standing.captures.length > 0)
    return notAllowed(`${standing.name} is captured: void or refund its capture`);
  if (standing.captures.some(({ refunded }) => refunded > 0)) {
    const isAll = standing.captures.every(({ amount, refunded }) => refunded >= amount);
    return notAllowed(
      isAll ? `${standing.name} is refunded already` : `${standing.name} is refunded in part: refund the rest`,
    );
  }
  const whole = standing.voids.reduce((total, { amount }) => total + amount, 0);
  const targets = standing.voids.map(targetOf);
  const increments = standing.voids.flatMap(({ payment }) => payment ?? []);
  return granted({ amount: whole, targets, increments, capturing: standing.capturing, last: false });
}

/**
 * After a CP with `sequence=FINAL` nothing is left to capture. Queries do not tell FINAL: a capture from elsewhere is
 * the last only if all is captured.
 */
function isCapturedLast(standing: Standing): boolean {
  const { captures, reserved } = standing;
  return (
    captures.length > 0 &&
    (captures.length >= mostCaptures(standing) || captures.some(({ last }) => last) || captured(standing) >= reserved)
  );
}

function captured({ captures }: Standing): Minor {
  return captures.reduce((total, { amount }) => total + amount, 0);
}

function amountOf(
  { currency, name }: Standing,
  asked: string | undefined,
  most: Minor | undefined,
  what: string,
): Granted<Minor> {
  const amount = asked === undefined ? most : parseAmount(asked, currency);
  const example = formatAmount(1234, currency);
  if (amount === undefined)
    return refused(
      "invalid-amount",
      `amount in ${currency.code} is a decimal string such as "${example}"`,
      "fix-request",
      "amount",
    );
  if (amount === 0) return refused("invalid-amount", "amount must be more than zero", "fix-request", "amount");
  if (most === undefined || amount <= most) return granted(amount);
  return refused(
    "invalid-amount",
    `of ${name} ${formatAmount(most, currency)} ${currency.code} ${what}, not more`,
    "fix-request",
    "amount",
  );
}

function notAllowed(message: string): Granted<never> {
  return refused("not-allowed", message, "fix-request", "of");
}
