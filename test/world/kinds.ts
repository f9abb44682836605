import type { PaymentView } from "../../src/payment/public.ts";
import type { Granted } from "../../src/payment/refusal.ts";
import type { StartRequest } from "../../src/payment/request.ts";
import type { Caller, Payments } from "../../src/register/ports.ts";
import type { Asked } from "./checker/evidence.ts";
import { SALE_END_RULES, SALE_RULES } from "./checker/rules.ts";
import type { Judges } from "./checker/witness.ts";
import type { Kind } from "./script.ts";

/** A payment kind as this world plays it: one row, with the call that begins it and the rules that it is judged by. */
interface KindRow {
  /** How many of a hundred steps. */
  readonly share: number;
  readonly begin: (payments: Payments, caller: Caller, asked: Asked) => Promise<Granted<{ readonly payment: PaymentView; readonly created: boolean }>>;
  readonly judges: Judges;
}

const KINDS: Readonly<Record<Kind, KindRow>> = {
  SALE: {
    share: 100,
    begin: (payments, caller, asked) => payments.start(caller, startOf(asked, "SALE")),
    judges: { always: SALE_RULES, end: SALE_END_RULES },
  },
};

function startOf(asked: Asked, type: StartRequest["type"]): StartRequest {
  const { reference, terminal, amount, allowPartialApproval, order, queue } = asked;
  return {
    ...{ reference, type, terminal, currency: "EUR", amount, allowPartialApproval, order, queue },
    // By this the world knows whose a request is, whatever the bridge calls it.
    parameters: { merchantInvoiceId: reference },
    fingerprint: JSON.stringify([type, terminal, reference, amount]),
  };
}

export function begin(payments: Payments, caller: Caller, asked: Asked): ReturnType<KindRow["begin"]> {
  return KINDS[asked.does].begin(payments, caller, asked);
}

export function judgesOf({ does }: Asked): Judges {
  return KINDS[does].judges;
}

/** The kind of a step, from a number below 100. */
export function kindFor(roll: number): Kind {
  let left = roll;
  for (const kind of Object.keys(KINDS).filter(isKind)) {
    if (left < KINDS[kind].share) return kind;
    left -= KINDS[kind].share;
  }
  throw new RangeError("the shares of the kinds do not add up to a hundred");
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(KINDS, name);
}
