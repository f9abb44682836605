import { newPaymentId } from "../../kit/ids.ts";
import type { Accepted } from "../../payment/machine.ts";
import {
  admitWithoutTerminal,
  type BookEntry,
  type ChargeRequest,
  granted,
  type LinkRequest,
  refused,
} from "../../payment/request.ts";
import { NO_TERMINAL } from "../../payment/state.ts";
import { viewOf } from "../../payment/view.ts";
import type { MerchantData } from "../../receipt/source.ts";
import type { Caller, Payments } from "../../register/ports.ts";
import type { PaymentsPorts, TerminalSettings } from "./service-ports.ts";
import { type Admission, acceptOne, notNow, repeated, tooManyCaptures, undecided } from "./start.ts";

type Started = Awaited<ReturnType<Payments["charge"]>>;

/** Accepts a payment without a terminal, on the shop's own channel; or finds the existing one of this reference. */
export async function startWithoutTerminal(
  ports: PaymentsPorts,
  admission: Admission,
  caller: Caller,
  request: ChargeRequest | LinkRequest,
): Promise<Started> {
  const { register } = caller;
  const known = await ports.journal.byReference(register, request.reference);
  if (known !== undefined) return repeated(ports, known, request);
  const closed = notNow(admission, { register, reference: request.reference });
  if (closed !== undefined) return closed;
  const shop = ports.settings.get(NO_TERMINAL);
  if (shop === undefined)
    return refused("unsupported", "this bridge takes payments at its terminals only", "fix-config");
  const tooMany = "numberOfCaptures" in request ? tooManyCaptures(request, shop) : undefined;
  if (tooMany !== undefined) return tooMany;
  const admitted = admitWithoutTerminal(request, register, [...admission.taking, ...undecided(ports)]);
  if (!admitted.ok) return admitted;
  const entry: BookEntry = { ...request, register, terminal: NO_TERMINAL, order: request.order };
  admission.taking.add(entry);
  try {
    const { warnings } = admitted.value;
    return await acceptOne(ports, admission, acceptedOf(ports, register, request, shop), request, (payment) =>
      granted({ payment: viewOf(payment), created: true, warnings }),
    );
  } finally {
    admission.taking.delete(entry);
  }
}

function acceptedOf(
  ports: PaymentsPorts,
  register: string,
  request: ChargeRequest | LinkRequest,
  { channel, device }: TerminalSettings,
): Accepted {
  const { reference, amount, currency, cashier, order, fingerprint } = request;
  const at = ports.clock.now();
  return {
    ...{ reference, amount, currency, parameters: parametersOf(request, ports.merchant), fingerprint },
    ...paidBy(request, at),
    ...(cashier !== undefined && { cashier }),
    ...(order !== undefined && { order }),
    allowPartialApproval: false,
    fact: "accepted",
    at,
    id: newPaymentId(ports.random),
    register,
    terminal: NO_TERMINAL,
    channel,
    device,
    rules: { ...ports.rules, hostWaitMs: ports.rules.hostAnswerMs },
  };
}

type PaidBy = Pick<Accepted, "type" | "registration" | "numberOfCaptures" | "holder" | "link" | "expiresAt">;

/** A link's page names the shop by its configured name, unless the register sends another. */
function parametersOf(
  request: ChargeRequest | LinkRequest,
  { name }: Pick<MerchantData, "name">,
): Accepted["parameters"] {
  const { parameters } = request;
  if (!("validForMs" in request)) return parameters;
  const said = parameters["merchant"];
  return { ...parameters, merchant: { name, ...(typeof said === "object" && !Array.isArray(said) && said) } };
}

function paidBy(request: ChargeRequest | LinkRequest, at: number): PaidBy {
  if ("validForMs" in request) return { type: "SALE", link: { until: at + request.validForMs } };
  const { type, registration, numberOfCaptures, holder, expiresInMs } = request;
  return {
    type,
    registration,
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...(holder !== undefined && { holder }),
    ...(expiresInMs !== undefined && { expiresAt: at + expiresInMs }),
  };
}
