import type { PaymentView } from "../../src/payment/public.ts";
import type { Granted } from "../../src/payment/refusal.ts";
import type { FollowUpRequest, StartRequest } from "../../src/payment/request.ts";
import type { Caller, Payments } from "../../src/register/ports.ts";
import { creditsStand, lateCreditIsTold } from "./checker/credits.ts";
import type { Asked } from "./checker/evidence.ts";
import { familyAddsUp, familyIsAsTold, followUpIsBooked, lateFollowUpIsHealed, voidVoids } from "./checker/follow-ups.ts";
import { registrationIsGone, registrationStands } from "./checker/registrations.ts";
import {
  approvedIsBooked,
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
import type { Judges } from "./checker/witness.ts";
import type { Kind } from "./script.ts";

type Answer = Promise<Granted<{ readonly payment: PaymentView; readonly created: boolean }>>;

/** A payment kind as this world plays it: one row, with the call that begins it and the rules that it is judged by. */
interface KindRow {
  readonly begin: (payments: Payments, caller: Caller, asked: Asked) => Answer;
  readonly judges: Judges;
}

const FOLLOWED: Judges = {
  always: [followUpIsBooked, familyAddsUp, finalIsWhole],
  end: [everythingEnds, ledgerIsExplained, lateFollowUpIsHealed, familyIsAsTold],
};

const KINDS: Readonly<Record<Kind, KindRow>> = {
  SALE: { begin: start("SALE"), judges: { always: SALE_RULES, end: SALE_END_RULES } },
  PREAUTHORIZATION: { begin: start("PREAUTHORIZATION"), judges: { always: PREAUTHORIZATION_RULES, end: PREAUTHORIZATION_END_RULES } },
  REFUND: {
    begin: start("REFUND"),
    judges: {
      always: [oneBooking, neverAbove, approvedIsBooked, notApprovedIsClear, creditsStand, finalIsWhole],
      end: [everythingEnds, lateCreditIsTold, ledgerIsExplained],
    },
  },
  REGISTRATION: {
    begin: start("REGISTRATION"),
    judges: { always: [registrationStands, finalIsWhole], end: [everythingEnds, registrationIsGone, ledgerIsExplained] },
  },
  CAPTURE: { begin: follow("CAPTURE"), judges: FOLLOWED },
  LINKED_REFUND: { begin: follow("LINKED_REFUND"), judges: FOLLOWED },
  INCREMENT: { begin: follow("INCREMENT"), judges: FOLLOWED },
  VOID: {
    begin: follow("VOID"),
    judges: { always: [familyAddsUp, finalIsWhole], end: [everythingEnds, ledgerIsExplained, voidVoids, familyIsAsTold] },
  },
};

function start(type: StartRequest["type"]): KindRow["begin"] {
  return (payments, caller, { reference, terminal, amount, allowPartialApproval, createRegistration, order, queue }) =>
    payments.start(caller, {
      ...{ reference, type, terminal, currency: "EUR", amount: type === "REGISTRATION" ? 0 : amount, allowPartialApproval, createRegistration, order, queue },
      // By this the world knows whose a request is, whatever the bridge calls it.
      parameters: { merchantInvoiceId: reference },
      fingerprint: JSON.stringify([type, terminal, reference, amount]),
    });
}

function follow(type: FollowUpRequest["type"]): KindRow["begin"] {
  return (payments, caller, { reference, amount, of = "" }) =>
    payments.followUp(caller, {
      ...{ type, of: { name: of }, reference, fingerprint: JSON.stringify([type, of, reference, amount]) },
      ...(type !== "VOID" && { amount: (amount / 100).toFixed(2) }),
    });
}

export function begin(payments: Payments, caller: Caller, asked: Asked): Answer {
  return KINDS[asked.does].begin(payments, caller, asked);
}

export function judgesOf({ does }: Asked): Judges {
  return KINDS[does].judges;
}
