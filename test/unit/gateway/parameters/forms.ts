import fc from "fast-check";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf, type Endpoint } from "../../../../src/gateway/parameters/endpoints.ts";
import { type Line, requested, sendable } from "./table.ts";
import { anyValue } from "./values.ts";

/** What has to be there whatever else is. */
const MONEY = ["amount", "currency", "paymentType"];

export const REQUIRED: Readonly<Record<Endpoint, readonly string[]>> = {
  payment: MONEY,
  reference: MONEY,
  registration: [],
  registrationPayment: MONEY,
  deletion: [],
  schedule: [...MONEY, "registrationId"],
  checkout: MONEY,
  checkoutUpdate: [],
  checkoutSubmission: [],
  read: [],
  query: [],
  pagedQuery: [],
  aggregations: ["date.from", "date.to"],
  aggregation: [],
  link: MONEY,
  linkRead: [],
};

const CARD = ["card.number", "card.expiryMonth", "card.expiryYear"];

/** Every way to say an account, each without one field too many. */
const ACCOUNTS: readonly (readonly string[])[] = [
  CARD,
  [...CARD, "card.holder", "card.cvv", "card.numberType"],
  ["applePay.paymentToken", "applePay.cardNetwork"],
  ["googlePay.source", ...CARD, "threeDSecure.verificationId", "threeDSecure.eci"],
  ["virtualAccount.accountId", "paymentBrand"],
  ["bankAccount.holder", "bankAccount.iban", "bankAccount.bic", "paymentBrand"],
  ["bankAccount.holder", "bankAccount.number", "bankAccount.bankCode", "bankAccount.mandate.id", "paymentBrand"],
  ["tokenAccount.number", "tokenAccount.type", "tokenAccount.cryptogram"],
];

/** Those of one endpoint alone. */
const OTHER_ACCOUNTS: Partial<Record<Endpoint, readonly (readonly string[])[]>> = {
  payment: [
    ["pos.entryMode", "pos.terminalId", "pos.encryptedSred.data", "pos.encryptedSred.ksn"],
    ["registrationId", "card.cvv"],
  ],
  registration: [
    ["pos.entryMode", "pos.terminalId", "pos.encryptedSred.data"],
    ["bankAccount.holder", "bankAccount.iban", "paymentBrand"],
  ],
  checkoutSubmission: [["registrationId"], ["bankAccount.holder", "bankAccount.iban", "paymentBrand"]],
};

const TAKES_ACCOUNT: readonly Endpoint[] = ["payment", "registration", "checkoutSubmission"];

const OF_ACCOUNTS =
  /^(?:card|applePay|googlePay|samsungPay|virtualAccount|bankAccount|tokenAccount|pos\.encryptedSred|registrationId)(?:\.|$)/;

/**
 * What cannot be sent together with anything at all, or changes what is required: the rules about these have tests of
 * their own.
 */
const APART: ReadonlySet<string> = new Set(["merchantTransactionId: Query parameters", "shortId: Query parameters"]);

export function linesOf(endpoint: Endpoint): readonly Line[] {
  const chapters = chaptersOf[endpoint];
  return requested.filter(({ chapter, name }) =>
    chapters.some(({ title, parameters }) => title === chapter && parameters.some((each) => each.name === name)),
  );
}

/** What a parameter cannot go without, as the specification's notes say it. */
function companionsOf(name: string): readonly string[] {
  const group = /^(?:shipping\.)?customer\./.exec(name)?.[0];
  const document =
    group === undefined || !name.includes(".identificationDoc")
      ? []
      : [`${group}identificationDocType`, `${group}identificationDocId`];
  const names = group === undefined ? [] : [`${group}givenName`, `${group}surname`];
  const house = name.endsWith(".houseNumber2") ? [name.replace(/2$/, "1")] : [];
  const migration = name.startsWith("recurringMigration.") ? ["recurringMigration.paymentType"] : [];
  const pos = name.startsWith("pos.") ? ["pos.entryMode", "pos.terminalId"] : [];
  const dates = name.startsWith("date.") ? ["date.from", "date.to"] : [];
  // "Needed when type is INSTALLMENT and EMV 3D is configured": whether it is, is the channel's affair.
  const instalments = name === "standingInstruction.type" ? ["standingInstruction.numberOfInstallments"] : [];
  return [name, ...document, ...names, ...house, ...migration, ...pos, ...dates, ...instalments];
}

/**
 * A form that the specification allows at this endpoint: what is required, one account where one is taken, and any of
 * the rest.
 */
export function validForm(endpoint: Endpoint): fc.Arbitrary<Sent> {
  const lines = linesOf(endpoint);
  const byName = new Map(lines.map((line) => [line.name, line]));
  const free = lines
    .filter(({ name, chapter }) => !OF_ACCOUNTS.test(name) && !APART.has(`${name}: ${chapter}`))
    .map(({ name }) => name);
  const possible = [...ACCOUNTS, ...(OTHER_ACCOUNTS[endpoint] ?? [])].filter((names) =>
    names.every((name) => byName.has(name)),
  );
  const accounts = TAKES_ACCOUNT.includes(endpoint) ? possible : [[]];
  return fc
    .tuple(fc.constantFrom(...accounts), fc.subarray(free, { maxLength: Math.min(free.length, 25) }))
    .chain(([account, chosen]) => {
      const names = new Set([...REQUIRED[endpoint], ...account, ...chosen.flatMap(companionsOf)]);
      const fields = [...names]
        .flatMap((name) => byName.get(name) ?? [])
        .map((line) => fc.tuple(fc.constant(sendable(line.name)), sentValue(line)));
      return fc.tuple(...fields).map((pairs) => new Map(pairs));
    });
}

/**
 * Two types and one practice mean less is required, and a registration has one type only: those have tests of their
 * own.
 */
function sentValue(line: Line): fc.Arbitrary<string> {
  return line.name === "paymentType" ? fc.constantFrom("DB", "PA", "CD") : anyValue(line);
}
