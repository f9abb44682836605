import { deck } from "../testbed/deck.ts";
import { sredDeviceTypes } from "../testbed/sred-layouts.ts";
import { securityCodes } from "./accounts/avs-cvv.ts";
import { bankAccountEndings } from "./accounts/bank-account.ts";
import { cardBrands, detectBrand } from "./accounts/brands.ts";
import { passesMod97 } from "./accounts/check-digits.ts";
import { type Enrolment, type TestCard, testCards } from "./accounts/test-cards.ts";
import { LATER_DAYS } from "./asynchronous/bank-answers.ts";
import { RIGHT_CODE } from "./asynchronous/challenge.ts";
import { type AsynchronousKind, asynchronousMethods } from "./asynchronous/methods.ts";
import { MAGIC_AMOUNTS } from "./ledger/magic-amounts.ts";
import { textOf } from "./ledger/result-texts.ts";

/** One list of test data: input and its result. */
export interface TestDataSection {
  readonly title: string;
  /** Applies to all rows. */
  readonly note?: string;
  readonly rows: readonly (readonly [key: string, text: string])[];
}

const magicAmounts: TestDataSection = {
  title: "Magic amounts",
  note: "the smallest unit counts: 9100.05 EUR and 910005 JPY are the same",
  rows: MAGIC_AMOUNTS.map(({ minor, what }) => [(minor / 100).toFixed(2), what]),
};

const terminalCards: TestDataSection = {
  title: "Cards of the simulated terminals",
  note: `presented at a terminal (pos.*); pos.deviceType whose SRED data is opened here: ${sredDeviceTypes.join(", ")}`,
  rows: deck.map(({ name, title }) => [name, title]),
};

const ENROLMENTS: Readonly<Record<Enrolment, string>> = {
  frictionless: "approved; 3D Secure authenticates without asking",
  attempted: "approved; 3D Secure was attempted",
  error: "approved; 3D Secure does not work",
  "not-enrolled": "approved; not enrolled with 3D Secure",
  challenge: `3D Secure asks its holder for a code: ${RIGHT_CODE} is right`,
};

function outcomeOf({ declines, enrolment, wantsAuthentication }: TestCard): string {
  if (declines?.resultCode !== undefined) return told(declines.resultCode);
  if (wantsAuthentication === true)
    return `300.100.100 without 3D Secure, and with it a code is asked for: ${RIGHT_CODE} is right`;
  return enrolment === undefined ? "approved" : ENROLMENTS[enrolment];
}

const cardNumbers: TestDataSection = {
  title: "Card numbers",
  note: "card.number, with any expiry that is not over; every other number is declined with 800.100.151",
  rows: testCards.map((card) => [
    card.number,
    `${detectBrand(card.number)?.key ?? "brand to be said"}: ${outcomeOf(card)}`,
  ]),
};

const securityCodeRows: TestDataSection = {
  title: "Security codes",
  note: "card.cvv by its last three digits; every other one is right",
  rows: [...securityCodes].map(([code, { response, outcome }]) => [
    code,
    `cvvResponse ${response}: ${outcome?.resultCode === undefined ? "approved" : told(outcome.resultCode)}`,
  ]),
};

const bankAccounts: TestDataSection = {
  title: "Bank accounts",
  note: "bankAccount.iban or .number by its last four characters; from every other account the money comes",
  rows: [
    [ibanOf("1"), "approved"],
    ...Object.entries(bankAccountEndings).map(
      ([ending, { resultCode = "" }]) => [ibanOf(ending), told(resultCode)] as const,
    ),
  ],
};

/** An account at bank code 99999999, which is not assigned, with valid check digits (ISO 13616-1, 6.1). */
function ibanOf(account: string): string {
  const all = Array.from(
    { length: 97 },
    (_, at) => `DE${String(at + 2).padStart(2, "0")}99999999${account.padStart(10, "0")}`,
  );
  return all.find(passesMod97) ?? "";
}

function told(resultCode: string): string {
  return `${resultCode}: ${textOf(resultCode)}`;
}

const KINDS: Readonly<Record<AsynchronousKind, string>> = {
  wallet: "a wallet",
  "online-transfer": "online transfer",
  "pay-later": "paid later",
  voucher: "paid in days, at a counter or by a transfer",
};

const brands: TestDataSection = {
  title: "Brands that answer at once",
  rows: [
    ["cards", cardBrands.map(({ key }) => key).join(", ")],
    ["bank accounts", "DIRECTDEBIT_SEPA"],
  ],
};

const asynchronousBrands: TestDataSection = {
  title: "Brands whose shopper is asked first",
  note: "pending (000.200.000) until he answered at the address of redirect.url",
  rows: asynchronousMethods.map(({ brand, title, kind }) => [brand, `${title}, ${KINDS[kind]}`]),
};

const shopperPages: TestDataSection = {
  title: "What a shopper can answer",
  note: "at the address of redirect.url, or by a POST of redirect.parameters and one of these to it",
  rows: [
    ["answer=yes", "as the amount and the account say"],
    ["answer=no", "800.100.152: the bank refuses"],
    ["answer=no-funds", "800.100.155: not enough money"],
    ["answer=cancel", "100.396.101; at a 3D Secure challenge 100.390.124"],
    ["answer=later-yes", `800.400.500 for ${LATER_DAYS} days, then as with yes`],
    ["answer=later-no", `800.400.500 for ${LATER_DAYS} days, then 100.397.102`],
    ["answer=leave", "nothing yet: without an answer it lapses after 30 minutes (100.395.501 or 100.396.103)"],
    [`code=${RIGHT_CODE}`, "3D Secure challenge: right; anything else is wrong, and 100.380.401 after three tries"],
  ],
};

const faults: TestDataSection = {
  title: "Faults",
  note: 'POST /sandbox/v1/faults {"on":{"path","paymentType","merchantTransactionId"},"do":...,"times":1,"delayMs":...}; DELETE takes them all away',
  rows: [
    ["drop-before", "connection cut, nothing booked"],
    ["drop-after", "booked, reply lost"],
    ["delay", "booked, reply after delayMs (90 s)"],
    ["reset-mid-body", "booked, connection reset in the middle of the reply"],
    ["http-500", "HTTP 500, nothing booked"],
    ["http-502-html", "booked, HTTP 502 with a page of HTML"],
    ["truncated-json", "booked, JSON of the reply ends in the middle"],
    ["throttle", "800.120.100, nothing booked"],
    ["hide-from-query", "booked, queries know nothing of it for delayMs (60 s)"],
    ['{"result":CODE}', "that result; success books, 900.100.300 .400 .500 book too"],
  ],
};

const callsForTests: TestDataSection = {
  title: "Calls for tests",
  rows: [
    ["GET /sandbox/v1/ledger", "all bookings, or ?merchantTransactionId=..."],
    ["POST /sandbox/v1/clock", '{"advanceMs":60000} moves the sandbox\'s clock forward'],
    ["GET /sandbox/v1/faults", "those that are left"],
    ["GET /sandbox/v1/webhooks", "who is notified; set up by: posbridge sandbox webhooks add URL --key-file FILE"],
  ],
};

export const testDataSections: readonly TestDataSection[] = [
  magicAmounts,
  cardNumbers,
  securityCodeRows,
  bankAccounts,
  terminalCards,
  brands,
  asynchronousBrands,
  shopperPages,
  faults,
  callsForTests,
];

/** Same as plain text: a title with its lines below. */
export function testDataLines(sections: readonly TestDataSection[] = testDataSections): readonly string[] {
  return sections.flatMap(({ title, note, rows }) => {
    const width = Math.max(...rows.map(([key]) => key.length));
    return [
      note === undefined ? title : `${title} (${note})`,
      ...rows.map(([key, text]) => `  ${key.padEnd(width)}  ${text}`),
      "",
    ];
  });
}
