import type { Sealed } from "../card/card-data.ts";
import type { GatewayOrder } from "../engine/ports.ts";
import { isGatewayId } from "../kit/ids.ts";
import { currencyOf, formatAmount } from "../kit/money.ts";
import { Secret } from "../kit/secret.ts";
import { type Operation, sequenceText } from "../payment/exchange.ts";
import { encodeForm, type FormFields, flatten, lengthsOf } from "./form.ts";
import type { Chapter } from "./parameters/chapter.ts";
import { chaptersOf, deletionChapters, paymentChapters, registrationChapters } from "./parameters/endpoints.ts";
import { keyedGroups, parameterProblems } from "./parameters/problems.ts";
import type { ParameterName } from "./parameters/specification.ts";

/**
 * A request ready to send, or the problems of the order by field, without values. `path` is below the base URL;
 * `lengths` are those of the values.
 */
export type PaymentForm =
  | {
      readonly ok: true;
      readonly method: "POST" | "DELETE";
      readonly path: string;
      /** With its question mark; empty for a POST. */
      readonly query: string;
      readonly body?: Secret<string>;
      readonly lengths: Readonly<Record<string, number>>;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

const keyed = keyedGroups(paymentChapters);

/**
 * The request's endpoint (gateway-facts 0 and 2.1):
 * - card: /v1/payments; registration: /v1/registrations
 * - stored-card: /v1/registrations/{id}/payments
 * - link: /paybylink/v1; increment: /v1/payments
 * - reference: /v1/payments/{id}; deletion: DELETE /v1/registrations/{id}
 */
type Sort = "card" | "registration" | "stored-card" | "link" | "increment" | "reference" | "deletion";

function sortOf({ paymentType, industryPractice, registration, link }: Operation): Sort {
  if (registration !== undefined) return "stored-card";
  if (link !== undefined) return "link";
  switch (paymentType) {
    case "PA":
      return industryPractice === undefined ? "card" : "increment";
    case "DB":
    case "CD":
      return "card";
    case "RG":
      return "registration";
    case "CP":
    case "RV":
    case "RF":
      return "reference";
    case "DR":
      return "deletion";
  }
}

const CHAPTERS: Readonly<Record<Sort, readonly Chapter[]>> = {
  card: paymentChapters,
  registration: registrationChapters,
  "stored-card": chaptersOf.registrationPayment,
  link: chaptersOf.link,
  increment: paymentChapters,
  reference: paymentChapters,
  deletion: deletionChapters,
};

/**
 * Builds the request (specification, "Endpoints" and "Resources and their fields"; bodies of CP, RV and RF:
 * gateway-facts 2.2). The whole form is validated first: an order with a problem is never sent. The only place that
 * opens sealed card data.
 */
export function paymentForm(order: GatewayOrder): PaymentForm {
  const sort = sortOf(order.operation);
  const path = pathOf(sort, order.operation);
  const own = ownFields(sort, order);
  const passed = passedFields(sort, order).filter(
    ([name]) => sort !== "increment" || own.every(([ours]) => ours !== name),
  );
  const fields: FormFields = [...own, ...passed];
  const problems = [
    ...(path === undefined ? ["what this operation refers to must be named by an id of the gateway"] : []),
    ...passed.filter(([name]) => isOurs(name)).map(([name]) => `${name} is set by the bridge alone`),
    ...amountProblems(order),
    ...parameterProblems(new Map(fields), CHAPTERS[sort]).map(({ name, message }) => `${name} ${message}`),
  ];
  if (path === undefined || problems.length > 0) return { ok: false, problems };
  const lengths = lengthsOf(fields);
  if (sort === "deletion") return { ok: true, method: "DELETE", path, query: `?${encodeForm(fields)}`, lengths };
  return { ok: true, method: "POST", path, query: "", body: new Secret(encodeForm(fields)), lengths };
}

function pathOf(sort: Sort, { referencedId = "", registration = "" }: Operation): string | undefined {
  switch (sort) {
    case "card":
      return "v1/payments";
    case "registration":
      return "v1/registrations";
    case "stored-card":
      return isGatewayId(registration) ? `v1/registrations/${registration}/payments` : undefined;
    case "link":
      return "paybylink/v1";
    case "increment":
      return isGatewayId(referencedId) ? "v1/payments" : undefined;
    case "reference":
      return isGatewayId(referencedId) ? `v1/payments/${referencedId}` : undefined;
    case "deletion":
      return isGatewayId(referencedId) ? `v1/registrations/${referencedId}` : undefined;
  }
}

/** An amount without a known currency cannot be written. The parameter tables find a missing currency. */
function amountProblems({ operation: { amount, currency } }: GatewayOrder): readonly string[] {
  return amount !== undefined && (currency === undefined || currencyOf(currency) === undefined)
    ? ["currency must be one that this version takes"]
    : [];
}

function ownFields(sort: Sort, order: GatewayOrder): FormFields {
  switch (sort) {
    case "card":
      return [...operationFields(order), ...presentedCardFields(order)];
    case "registration":
      return [...registrationFields(order), ...presentedCardFields(order)];
    case "stored-card":
      return operationFields(order);
    case "link":
      return [...operationFields(order), ...linkFields(order)];
    case "increment":
      return [...operationFields(order), ...incrementFields(order)];
    case "reference":
      return [...operationFields(order), ...repeatedCardFields(order)];
    case "deletion":
      return sent([["entityId", order.operation.entityId], testModeField(order)]);
  }
}

/**
 * `/v1/registrations` implies the type, and the published call names none (gateway-facts 0). Brand and number are
 * sealed with the card.
 */
function registrationFields(order: GatewayOrder): FormFields {
  const { entityId, merchantTransactionId } = order.operation;
  return sent([["entityId", entityId], ["merchantTransactionId", merchantTransactionId], testModeField(order)]);
}

/**
 * "Card on file" and referenceUuid: an authorization that the merchant initiates, on the card of the referenced one.
 */
function incrementFields({ operation }: GatewayOrder): FormFields {
  return sent([
    ["referenceUuid", operation.referencedId],
    ["standingInstruction.type", "UNSCHEDULED"],
    ["standingInstruction.mode", "REPEATED"],
    ["standingInstruction.source", "MIT"],
    ["standingInstruction.industryPractice", operation.industryPractice],
  ]);
}

/** Without a validity, a link could be paid for 90 days (gateway-facts 5). */
function linkFields({ operation: { link } }: GatewayOrder): FormFields {
  return sent([
    ["validUntil", link === undefined ? undefined : String(link.validFor)],
    ["validUntilUnit", link?.unit],
    ["createQRCode", "true"],
  ]);
}

function testModeField({ channel }: GatewayOrder): Field {
  return ["testMode", channel.environment === "test" ? channel.testMode : undefined];
}

function operationFields(order: GatewayOrder): FormFields {
  const { operation } = order;
  const { amount } = operation;
  const currency = operation.currency === undefined ? undefined : currencyOf(operation.currency);
  return sent([
    ["entityId", operation.entityId],
    ["amount", amount === undefined || currency === undefined ? undefined : formatAmount(amount, currency)],
    ["currency", amount === undefined ? undefined : currency?.code],
    ["paymentType", operation.paymentType],
    ["merchantTransactionId", operation.merchantTransactionId],
    testModeField(order),
    ["sequence", operation.sequence],
    [
      "createRegistration",
      operation.createRegistration === undefined ? undefined : String(operation.createRegistration),
    ],
    ["numberOfCaptures", operation.numberOfCaptures === undefined ? undefined : String(operation.numberOfCaptures)],
    ["overrideHolder", operation.holder === undefined ? undefined : "true"],
    ["card.holder", operation.holder],
  ]);
}

/** "Point of sale": fields of a card that is present now. */
function presentedCardFields({ operation, device, card, sealed }: GatewayOrder): FormFields {
  return sent([
    ["pos.entryMode", card?.entryMode],
    ["pos.terminalId", device.terminalId],
    ["pos.deviceId", device.deviceId],
    ["pos.deviceType", device.deviceType],
    ["pos.transactionSource", "POS"],
    ["pos.pinEntryCapability", device.pinEntry ? "PIN_ENTRY_AVAILABLE" : "PIN_ENTRY_UNAVAILABLE"],
    [
      "pos.transactionSequenceNumber",
      operation.sequenceNumber === undefined ? undefined : sequenceText(operation.sequenceNumber),
    ],
    ["pos.panSequenceNumber", card?.panSequenceNumber],
    ["pos.iccDataRequest", card?.icc],
    ...sealedFields("pos.encryptedSred", sealed?.sred),
    ...sealedFields("pos.encryptedPin", sealed?.pin),
    ["pos.location.latitude", device.location?.latitude],
    ["pos.location.longitude", device.location?.longitude],
    ["pos.location.accuracy", device.location?.accuracy],
  ]);
}

function sealedFields(name: "pos.encryptedSred" | "pos.encryptedPin", sealed: Sealed | undefined): readonly Field[] {
  return [
    [`${name}.data`, sealed?.data.reveal()],
    [`${name}.ksn`, sealed?.ksn],
  ];
}

/**
 * A follow-up of a chip payment repeats field-55 data (gateway-facts 4.4), never sealed data: a capture the TC, the
 * card's approval; a reversal or refund the authorization's data.
 */
function repeatedCardFields({ operation, device, card }: GatewayOrder): FormFields {
  if (card?.icc === undefined) return [];
  const icc = operation.paymentType === "CP" ? (card.finalIcc ?? card.icc) : card.icc;
  return sent([
    ["pos.entryMode", card.entryMode],
    ["pos.terminalId", device.terminalId],
    ["pos.iccDataRequest", icc],
  ]);
}

/** A reversal carries no goods and a deletion nothing; all other types pass the register's parameters on. */
function passedFields(sort: Sort, { operation, parameters }: GatewayOrder): FormFields {
  return operation.paymentType === "RV" || sort === "deletion" ? [] : flatten(parameters, keyed);
}

const OURS: ReadonlySet<string> = new Set([
  ...["entityId", "amount", "currency", "paymentType", "merchantTransactionId", "testMode"],
  ...["referenceUuid", "sequence", "createRegistration", "numberOfCaptures", "overrideHolder", "card.holder"],
]);

/** Fields that a register may never set, even if its own check let them through (contract, section 3). */
function isOurs(name: string): boolean {
  return OURS.has(name) || name === "pos" || name.startsWith("pos.");
}

/** A field by its name in the specification; without a value it is left out. */
type Field = readonly [name: ParameterName, value: string | undefined];

function sent(fields: readonly Field[]): FormFields {
  const said: (readonly [name: string, value: string])[] = [];
  for (const [name, value] of fields) if (value !== undefined) said.push([name, value]);
  return said;
}
