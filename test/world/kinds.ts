import type { Granted } from "../../src/payment/fact/refusal.ts";
import type { FollowUpRequest, StartRequest } from "../../src/payment/fact/request.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { readMoney } from "../../src/register/methods/start-money.ts";
import type { Caller, Payments } from "../../src/register/ports.ts";
import { agesAreKept } from "./checker/age.ts";
import { creditsStand, lateCreditIsTold } from "./checker/credits.ts";
import { currencyIsKept } from "./checker/currencies.ts";
import type { Asked } from "./checker/evidence.ts";
import {
  familyAddsUp,
  familyIsAsTold,
  followUpIsBooked,
  lateFollowUpIsHealed,
  totalsAreAsBooked,
  voidVoids,
} from "./checker/follow-ups.ts";
import { LINK_END_RULES, LINK_RULES } from "./checker/link-rules.ts";
import { HOME, textOf } from "./checker/money.ts";
import { registrationIsGone, registrationStands } from "./checker/registrations.ts";
import type { Rule } from "./checker/rule.ts";
import {
  approvedBySignature,
  approvedIsBooked,
  calledOffIsNotApproved,
  everythingEnds,
  finalIsWhole,
  ledgerIsExplained,
  neverAbove,
  notApprovedIsClear,
  oneBooking,
  PREAUTHORIZATION_END_RULES,
  PREAUTHORIZATION_RULES,
  SALE_END_RULES,
  SALE_RULES,
} from "./checker/rules.ts";
import { tipIsPartOfAmount, tipIsPrinted } from "./checker/tips.ts";
import type { Judges } from "./checker/witness.ts";
import type { Kind } from "./script.ts";

type Answer = Promise<Granted<{ readonly payment: PaymentView; readonly created: boolean }>>;

/** How long a customer has for a link where the script does not say. */
const VALID_FOR_MS = 120_000;

/** A payment kind as this world plays it: one row, with the call that begins it and the rules that it is judged by. */
interface KindRow {
  readonly begin: (payments: Payments, caller: Caller, asked: Asked) => Answer;
  readonly judges: Judges;
}

const FOLLOWED: Judges = {
  always: [currencyIsKept, followUpIsBooked, familyAddsUp, calledOffIsNotApproved, finalIsWhole],
  end: [everythingEnds, ledgerIsExplained, lateFollowUpIsHealed, familyIsAsTold, totalsAreAsBooked],
};

/** Of what a request says besides what it is for. */
const TERMS: readonly Rule[] = [agesAreKept, tipIsPartOfAmount, currencyIsKept];

const KINDS: Readonly<Record<Kind, KindRow>> = {
  SALE: {
    begin: start("SALE"),
    judges: { always: [...SALE_RULES, ...TERMS], end: [...SALE_END_RULES, totalsAreAsBooked, tipIsPrinted] },
  },
  PREAUTHORIZATION: {
    begin: start("PREAUTHORIZATION"),
    judges: {
      always: [...PREAUTHORIZATION_RULES, ...TERMS],
      end: [...PREAUTHORIZATION_END_RULES, totalsAreAsBooked, tipIsPrinted],
    },
  },
  REFUND: {
    begin: start("REFUND"),
    judges: {
      always: [
        oneBooking,
        neverAbove,
        approvedIsBooked,
        notApprovedIsClear,
        creditsStand,
        calledOffIsNotApproved,
        finalIsWhole,
        agesAreKept,
        currencyIsKept,
      ],
      end: [everythingEnds, lateCreditIsTold, ledgerIsExplained],
    },
  },
  REGISTRATION: {
    begin: start("REGISTRATION"),
    judges: {
      always: [
        registrationStands,
        approvedBySignature,
        calledOffIsNotApproved,
        finalIsWhole,
        agesAreKept,
        currencyIsKept,
      ],
      end: [everythingEnds, registrationIsGone, ledgerIsExplained],
    },
  },
  CAPTURE: { begin: follow("CAPTURE"), judges: FOLLOWED },
  LINKED_REFUND: { begin: follow("LINKED_REFUND"), judges: FOLLOWED },
  INCREMENT: { begin: follow("INCREMENT"), judges: FOLLOWED },
  VOID: {
    begin: follow("VOID"),
    judges: {
      always: [currencyIsKept, familyAddsUp, calledOffIsNotApproved, finalIsWhole],
      end: [everythingEnds, ledgerIsExplained, voidVoids, familyIsAsTold],
    },
  },
};

function start(type: StartRequest["type"]): KindRow["begin"] {
  return async (
    payments,
    caller,
    {
      reference,
      terminal,
      amount,
      currency = HOME,
      tip,
      allowPartialApproval,
      createRegistration,
      order,
      queue,
      expiresInMs,
    },
  ) => {
    const sent =
      type === "REGISTRATION"
        ? {}
        : { amount: textOf(amount, currency), ...(tip !== undefined && { tip: textOf(tip, currency) }) };
    const money = readMoney({ type, currency, ...sent });
    if (!money.ok)
      return {
        ok: false,
        refusal:
          "refusal" in money
            ? money.refusal
            : { code: "invalid-amount", message: money.invalid.message, advice: "fix-request" },
      };
    return payments.start(caller, {
      ...{
        reference,
        type,
        terminal,
        ...money.value,
        allowPartialApproval,
        createRegistration,
        order,
        queue,
        expiresInMs,
      },
      // By this the world knows whose a request is, whatever the bridge calls it.
      parameters: { merchantInvoiceId: reference },
      fingerprint: JSON.stringify([type, terminal, reference, amount, tip]),
    });
  };
}

function follow(type: FollowUpRequest["type"]): KindRow["begin"] {
  return (payments, caller, { reference, amount, currency, of = "", ofBooking }) =>
    payments.followUp(caller, {
      ...{ type, of: ofBooking === undefined ? { name: of } : { gatewayId: ofBooking }, reference },
      fingerprint: JSON.stringify([type, of, ofBooking, reference, amount]),
      ...(type !== "VOID" && { amount: textOf(amount, currency) }),
    });
}

/** A payment by a stored card, and by a link. */
const REMOTE: Readonly<Record<NonNullable<Asked["by"]>, KindRow["begin"]>> = {
  "stored-card": (payments, caller, { does, expiresInMs, registration = "", ...asked }) =>
    payments.charge(caller, {
      ...{ ...remote(asked), type: does === "PREAUTHORIZATION" ? does : "SALE", registration, expiresInMs },
      fingerprint: JSON.stringify(["charge", does, registration, asked.reference, asked.amount]),
    }),
  link: (payments, caller, { validForMs = VALID_FOR_MS, ...asked }) =>
    payments.link(caller, {
      ...{ ...remote(asked), validForMs },
      fingerprint: JSON.stringify(["link", asked.reference, asked.amount]),
    }),
};

const remote = ({
  reference,
  amount,
  order,
  currency = HOME,
}: Pick<Asked, "reference" | "amount" | "order" | "currency">) =>
  ({ reference, amount, order, currency, parameters: { merchantInvoiceId: reference } }) as const;

export function begin(payments: Payments, caller: Caller, asked: Asked): Answer {
  return (asked.by === undefined ? KINDS[asked.does].begin : REMOTE[asked.by])(payments, caller, asked);
}

const LINK: Judges = { always: [...LINK_RULES, currencyIsKept], end: LINK_END_RULES };

/** Whatever follows it is judged as its family. */
const ELSEWHERE: Judges = { always: [familyAddsUp], end: [familyIsAsTold] };

export function judgesOf({ does, by, elsewhere }: Asked): Judges {
  if (elsewhere === true) return ELSEWHERE;
  return by === "link" ? LINK : KINDS[does].judges;
}
