import type { Sealed } from "../card/card-data.ts";
import type { GatewayOrder } from "../engine/ports.ts";
import { currencyOf, formatAmount } from "../kit/money.ts";
import { Secret } from "../kit/secret.ts";
import type { GatewayPaymentType } from "../payment/operation.ts";
import { encodeForm, type FormFields, flatten } from "./form.ts";
import { paymentChapters } from "./parameters/endpoints.ts";
import { keyedGroups, parameterProblems } from "./parameters/problems.ts";

/** What a log may know of a field: its name and how long its value is. */
export interface FieldShape {
  readonly name: string;
  readonly length: number;
}

/** A request ready to leave: the path under the base URL, the body, and the body's shape. Or what is wrong with the order, by field, without values. */
export type PaymentForm =
  | { readonly ok: true; readonly path: string; readonly body: Secret<string>; readonly shape: readonly FieldShape[] }
  | { readonly ok: false; readonly problems: readonly string[] };

const keyed = keyedGroups(paymentChapters);

/** The gateway's ids are 32 letters or digits (specification, "Resources"); what is held to here is that one is a single safe step of a path. */
const GATEWAY_ID = /^[A-Za-z0-9]{1,64}$/;

/** Whether a type stands alone at /v1/payments or refers to a booking at /v1/payments/{id} (gateway-facts 2.1). */
function refers(paymentType: GatewayPaymentType): boolean {
  switch (paymentType) {
    case "PA":
    case "DB":
    case "CD":
    case "RG":
      return false;
    case "CP":
    case "RV":
    case "RF":
    case "DR":
      return true;
  }
}

/**
 * What is said for one operation (specification, "Endpoints" and "Resources and their fields"; bodies of CP, RV and RF: gateway-facts 2.2). The whole form is
 * held to the specification before it leaves: an order with a problem is never sent. The one place where sealed card data is looked into.
 */
export function paymentForm(order: GatewayOrder): PaymentForm {
  const path = pathOf(order);
  const own = new Map([...operationFields(order), ...(refers(order.operation.paymentType) ? repeatedCardFields(order) : presentedCardFields(order))]);
  const passed = passedFields(order);
  const problems = [
    ...(path === undefined ? ["referencedId must be the gateway's id of the booking that this operation refers to"] : []),
    ...passed.filter(([name]) => isOurs(name)).map(([name]) => `${name} is set by the bridge alone`),
    ...amountProblems(order),
    ...parameterProblems([...own, ...passed], paymentChapters).map(({ name, message }) => `${name} ${message}`),
  ];
  if (path === undefined || problems.length > 0) return { ok: false, problems };
  const fields: FormFields = [...own, ...passed];
  return { ok: true, path, body: new Secret(encodeForm(fields)), shape: fields.map(([name, value]) => ({ name, length: value.length })) };
}

function pathOf({ operation: { paymentType, referencedId } }: GatewayOrder): string | undefined {
  if (!refers(paymentType)) return "v1/payments";
  return referencedId !== undefined && GATEWAY_ID.test(referencedId) ? `v1/payments/${referencedId}` : undefined;
}

/** An amount that has no currency we know cannot be written; a missing one is found by the parameter tables. */
function amountProblems({ operation: { amount, currency } }: GatewayOrder): readonly string[] {
  return amount !== undefined && (currency === undefined || currencyOf(currency) === undefined) ? ["currency must be one that this version takes"] : [];
}

function operationFields({ operation, channel }: GatewayOrder): FormFields {
  const { amount } = operation;
  const currency = operation.currency === undefined ? undefined : currencyOf(operation.currency);
  return sent([
    ["entityId", operation.entityId],
    ["amount", amount === undefined || currency === undefined ? undefined : formatAmount(amount, currency)],
    ["currency", amount === undefined ? undefined : currency?.code],
    ["paymentType", operation.paymentType],
    ["merchantTransactionId", operation.merchantTransactionId],
    ["testMode", channel.environment === "test" ? channel.testMode : undefined],
  ]);
}

/** "Point of sale", for the request of a card that is there now. */
function presentedCardFields({ device, card, sealed }: GatewayOrder): FormFields {
  return sent([
    ["pos.entryMode", card?.entryMode],
    ["pos.terminalId", device.terminalId],
    ["pos.deviceId", device.deviceId],
    ["pos.deviceType", device.deviceType],
    ["pos.transactionSource", "POS"],
    ["pos.pinEntryCapability", device.pinEntry ? "PIN_ENTRY_AVAILABLE" : "PIN_ENTRY_UNAVAILABLE"],
    ["pos.transactionSequenceNumber", card?.transactionSequenceNumber],
    ["pos.panSequenceNumber", card?.panSequenceNumber],
    ["pos.iccDataRequest", card?.icc],
    ...sealedFields("pos.encryptedSred", sealed?.sred),
    ...sealedFields("pos.encryptedPin", sealed?.pin),
    ["pos.location.latitude", device.location?.latitude],
    ["pos.location.longitude", device.location?.longitude],
    ["pos.location.accuracy", device.location?.accuracy],
  ]);
}

function sealedFields(name: string, sealed: Sealed | undefined): readonly (readonly [string, string | undefined])[] {
  return [
    [`${name}.data`, sealed?.data.reveal()],
    [`${name}.ksn`, sealed?.ksn],
  ];
}

/** A capture or reversal of a chip payment repeats its field-55 data (gateway-facts 4.4), never what was sealed. */
function repeatedCardFields({ device, card }: GatewayOrder): FormFields {
  if (card?.icc === undefined) return [];
  return sent([
    ["pos.entryMode", card.entryMode],
    ["pos.terminalId", device.terminalId],
    ["pos.iccDataRequest", card.icc],
  ]);
}

/** A reversal says nothing about the goods: what the register passed goes with all other types. */
function passedFields({ operation, parameters }: GatewayOrder): FormFields {
  return operation.paymentType === "RV" ? [] : flatten(parameters, keyed);
}

const OURS: ReadonlySet<string> = new Set(["entityId", "amount", "currency", "paymentType", "merchantTransactionId", "testMode"]);

/** What a register may never say, even if its own check let it through (contract, section 3). */
function isOurs(name: string): boolean {
  return OURS.has(name) || name === "pos" || name.startsWith("pos.");
}

function sent(fields: readonly (readonly [name: string, value: string | undefined])[]): FormFields {
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
