import { expect, test } from "vitest";
import * as accounts from "./accounts-bench.ts";
import { shop } from "./accounts-bench.ts";
import type { Fields } from "./bench.ts";

/*
 * What the accounts of the specification are answered with, a payment of 92.00 EUR a line: the account, then name=value
 * for what is changed or added and -name for what is left out. A line without a code is approved.
 */

const OK = "000.100.110";
const ASKED = "000.200.000";
const begun = (source: string): Fields => ({
  "standingInstruction.source": source,
  "standingInstruction.mode": "REPEATED",
  "standingInstruction.type": "UNSCHEDULED",
});
const PARTS: Readonly<Record<string, Fields>> = {
  ...{ VISA: accounts.VISA, SEPA: accounts.SEPA, PAYPAL: accounts.PAYPAL, APPLE_PAY: accounts.APPLE_PAY },
  ...{ DECRYPTED: accounts.DECRYPTED, TOKEN: accounts.NETWORK_TOKEN, "no account": {} },
  CHALLENGED: { ...accounts.VISA, "card.number": "4200000000000042" },
  FRICTIONLESS: { ...accounts.VISA, "card.number": "4200000000000091" },
  STRICT: { ...accounts.VISA, "card.number": "4000002760003184" },
  "99-TOKEN": {
    ...accounts.NETWORK_TOKEN,
    ...{ "tokenAccount.type": "EXTERNAL", "tokenAccount.cryptogram": undefined, paymentBrand: undefined },
  },
  "PROOF of another server": {
    ...{ "threeDSecure.eci": "05", "threeDSecure.verificationId": "AAABBBCCCDDDEEEFFFGGGHHHIII=" },
    "threeDSecure.version": "2.1.0",
  },
  "the merchant begins": begun("MIT"),
  "the customer goes on": begun("CIT"),
};

const ANSWERS = `
a card is reserved: VISA, paymentType=PA
debited: VISA, paymentType=DB
and given money: VISA, paymentType=CD
with the published number of Visa: VISA, card.number=4111111111111111
with another one of Visa: VISA, card.number=4012888888881881
of Mastercard: VISA, paymentBrand=MASTER, card.number=5454545454545454
of Mastercard's other one: VISA, paymentBrand=MASTER, card.number=5555555555554444
of American Express: VISA, paymentBrand=AMEX, card.number=375987000000005, card.cvv=1234
of Diners: VISA, paymentBrand=DINERS, card.number=36961903000009
of Discover: VISA, paymentBrand=DISCOVER, card.number=6011587918359498
of JCB: VISA, paymentBrand=JCB, card.number=3541599999092431
of Maestro: VISA, paymentBrand=MAESTRO, card.number=6759649826438453, -card.cvv
of V PAY: VISA, paymentBrand=VPAY, card.number=4822000000000000003, -card.cvv
of Visa Electron: VISA, paymentBrand=VISAELECTRON, card.number=4917300800000000, -card.cvv
of mada: VISA, paymentBrand=MADA, card.number=5360230159427034, card.cvv=850
of Cartes Bancaires: VISA, paymentBrand=CARTEBLEUE, card.number=5555555555554444
a card has a wrong check digit: VISA, card.number=4200000000000001 = 100.100.101
digits alone and no brand: VISA, card.number=9000000000000001, -paymentBrand = 100.100.500
a brand that no card has: VISA, paymentBrand=ICELANDAIR = 100.100.501
a number of another brand: VISA, paymentBrand=MASTER = 100.100.700
was good until last month: VISA, card.expiryMonth=10, card.expiryYear=2026 = 100.100.303
is good to the end of its month: VISA, card.expiryMonth=11, card.expiryYear=2026
comes without its security code: VISA, -card.cvv = 100.100.600
with one of another brand's length: VISA, card.cvv=1234 = 100.100.601
with a wrong one: VISA, card.cvv=901 = 800.100.153
with one that asks for a review: VISA, card.cvv=902 = 000.400.020
a number is nobody's test card: VISA, card.number=4929000000006 = 800.100.151
a card is declined for good: VISA, card.number=4000000000000002 = 800.100.152
has not enough money behind it: VISA, card.number=4000000000009995 = 800.100.155
was lost: VISA, card.number=4000000000009987 = 800.100.165
was stolen: VISA, card.number=4000000000009979 = 800.100.159
has an expiry that its issuer does not know: VISA, card.number=4000000000000069 = 800.100.157
is under suspicion: VISA, card.number=4100000000000019 = 100.100.701
is refused at that address: VISA, billing.postcode=00001 = 800.400.104
no security code is needed for a credit: VISA, -card.cvv, paymentType=CD
where the merchant begins: VISA, -card.cvv, the merchant begins
where the customer goes on: VISA, -card.cvv, the customer goes on
with a number that stands for another one: VISA, -card.cvv, card.numberType=DPAN
a card meets the magic of its amount: VISA, amount=9100.51 = 800.100.155
after its issuer's own decline: VISA, amount=9200.10, card.number=4000000000000002 = 800.100.152

a bank account is reserved: SEPA, paymentType=PA
debited: SEPA
given money: SEPA, paymentType=CD
an IBAN has wrong check digits: SEPA, bankAccount.iban=DE24100000001234567890 = 100.200.104
is too short for its country: SEPA, bankAccount.iban=DE2310000000123456789 = 100.200.104
is of another country: SEPA, bankAccount.country=AT = 100.200.100
of one outside of SEPA: SEPA, bankAccount.iban=SA0380000000608010167519, bankAccount.country=SA, bankAccount.bic=NCBKSAJE = 100.200.100
a bank is of another country: SEPA, bankAccount.bic=BKAUATWW = 100.200.103
a BIC is none: SEPA, bankAccount.bic=12345678 = 100.200.103
a currency is not the euro: SEPA, currency=USD = 600.200.500
a mandate is of tomorrow: SEPA, bankAccount.mandate.dateOfSignature=2026-11-22 = 100.500.302
a due date was yesterday: SEPA, transactionDueDate=2026-11-20 = 100.500.301
a brand is one of cards: SEPA, paymentBrand=VISA = 100.100.501
an account was closed: SEPA, bankAccount.iban=DE05500105170000009902, -bankAccount.bic, bankAccount.bankCode=50010517 = 800.100.202
has not enough money: SEPA, bankAccount.iban=DE75500105170000009903, bankAccount.bic=INGDDEFFXXX = 800.100.203
is blocked: SEPA, bankAccount.iban=DE48500105170000009904, bankAccount.bic=INGDDEFFXXX = 800.100.172
takes no direct debit: SEPA, bankAccount.iban=DE37500105170000009908, bankAccount.bic=INGDDEFFXXX = 800.100.208

an encrypted wallet challenges nobody, because the device did: APPLE_PAY, applePay.paymentToken=sandbox:4200000042
has a token without a key: APPLE_PAY, applePay.paymentToken={"data":"AAAA"} = 200.100.603
a brand that its card has not: APPLE_PAY, paymentBrand=MASTER = 100.100.700
one that is neither its own nor a card's: APPLE_PAY, paymentBrand=PAYPAL = 100.100.501
a card that is declined: APPLE_PAY, applePay.paymentToken=sandbox:4000009995 = 800.100.155
gets no credit: APPLE_PAY, paymentType=CD = 600.200.310

a network token is paid with by its one-time code: TOKEN, -tokenAccount.cryptogram, tokenAccount.dtvc=123
has nothing to prove it: TOKEN, -tokenAccount.cryptogram = 800.100.315
needs no proof where the merchant begins: TOKEN, -tokenAccount.cryptogram, the merchant begins
has a cryptogram that no network made: TOKEN, tokenAccount.cryptogram=AAAAAAAAAAAAAAAAAAAAAAAAAAA= = 800.100.308
a number that no network gave: TOKEN, tokenAccount.number=4895370077346937 = 800.100.326
a date that is over: TOKEN, tokenAccount.expiryMonth=01, tokenAccount.expiryYear=2026 = 800.100.330
another card's brand: TOKEN, paymentBrand=MASTER = 100.100.700
a card that is declined behind it: TOKEN, tokenAccount.number=4000000000009995 = 800.100.155
gets no credit: TOKEN, paymentType=CD = 600.200.310
a provider's token stands for a test card whose holder is asked: 99-TOKEN, tokenAccount.number=994200000042 = ${ASKED}
is 99 and the ends of one: 99-TOKEN, tokenAccount.number=123456789012 = 800.100.326

a virtual account is left to the page of iDEAL: no account, paymentBrand=IDEAL = ${ASKED}
of Sofort: no account, paymentBrand=SOFORTUEBERWEISUNG = ${ASKED}
of STC Pay: no account, paymentBrand=STC_PAY = ${ASKED}
of PayPal: no account, paymentBrand=PAYPAL = ${ASKED}
is of no such brand: PAYPAL, paymentBrand=VISA = 100.210.102
gets no credit: PAYPAL, paymentType=CD = 600.200.310

a holder is asked although a review would follow: CHALLENGED, card.cvv=902 = ${ASKED}
is not asked with a proof: CHALLENGED, PROOF of another server
where the merchant leaves 3D Secure out: CHALLENGED, threeDSecure.disable=true
where he asks for an exemption: CHALLENGED, threeDSecure.exemptionFlag=01
where he would rather not: CHALLENGED, threeDSecure.challengeIndicator=02
where he begins: CHALLENGED, the merchant begins
where money is given: CHALLENGED, paymentType=CD
with another server's transaction: CHALLENGED, threeDSecure.dsTransactionId=f25084f0-5b16-4c0a-ae5d-b24808a95e4b
where the payment is based on a registration: CHALLENGED, recurringType=REGISTRATION_BASED
where the merchant has made a risk analysis: CHALLENGED, threeDSecure.challengeIndicator=05
but is asked without a preference: CHALLENGED, threeDSecure.challengeIndicator=01 = ${ASKED}
where 3D Secure is not left out: CHALLENGED, threeDSecure.disable=false = ${ASKED}
where he goes on with an agreement himself: CHALLENGED, the customer goes on = ${ASKED}
where a challenge is mandated, whatever exemption is asked for: FRICTIONLESS, threeDSecure.challengeIndicator=04, threeDSecure.exemptionFlag=01 = ${ASKED}
but is asked where the merchant wants that: FRICTIONLESS, threeDSecure.challengeIndicator=04 = ${ASKED}
a proof says that the holder failed: VISA, PROOF of another server, threeDSecure.authenticationStatus=N = 100.390.109
an issuer wants authentication: STRICT, threeDSecure.disable=true = 300.100.100
lets nobody be exempted: STRICT, threeDSecure.exemptionFlag=01 = 300.100.100
gets it by a challenge: STRICT = ${ASKED}
takes a proof: STRICT, PROOF of another server
or what was done without a question: STRICT, customParameters[3DS2_enrolled]=true, customParameters[3DS2_flow]=frictionless
a switch makes a card take part: VISA, customParameters[3DS2_enrolled]=true = ${ASKED}
with a challenge: VISA, customParameters[3DS2_enrolled]=true, customParameters[3DS2_flow]=challenge = ${ASKED}
without a question: VISA, customParameters[3DS2_enrolled]=true, customParameters[3DS2_flow]=frictionless
and does nothing alone: VISA, customParameters[3DS2_flow]=challenge

no payment begins with a capture: VISA, paymentType=CP = 600.200.400
a refund: VISA, paymentType=RF = 600.200.400
a reversal: VISA, paymentType=RV = 600.200.400
a registration: VISA, paymentType=RG = 600.200.400
an invoice: VISA, paymentType=IV = 600.200.400
nor needs money to be refused so: VISA, paymentType=RV, -amount, -currency = 600.200.400
a type is none at all: VISA, paymentType=XX = 600.200.300
a transfer to India has its purpose: VISA, transactionProcessingCode=PAYMENT, recipient.country=IND, transactionPurposeCode=P0001
one to another country has none: VISA, transactionProcessingCode=PAYMENT, recipient.country=DEU
nor a plain purchase: VISA, transactionProcessingCode=PURCHASE, recipient.country=IND
nobody says how many instalments: VISA, standingInstruction.type=INSTALLMENT, threeDSecure.version=2.2.0
an agreement goes on unnamed: VISA, standingInstruction.mode=REPEATED, standingInstruction.source=MIT
`;

const ROWS = ANSWERS.split("\n").flatMap((line) => {
  const [, sentence = "", sent = "", code = OK] = /^([^:]+): (.*?)(?: = ([0-9.]+))?$/.exec(line) ?? [];
  return sentence === "" ? [] : [{ sentence, sent, code }];
});

function fieldsOf(part: string): Fields {
  if (part.startsWith("-")) return { [part.slice(1)]: undefined };
  const [name = "", ...value] = part.split("=");
  return PARTS[part] ?? { [name]: value.join("=") };
}

test.each(ROWS)("$sentence: $sent is answered $code", async ({ sent, code }) => {
  const { pay, sandbox } = shop();
  const answer = await pay(...sent.split(", ").map(fieldsOf));
  expect({ status: answer.status, code: answer.code }).toEqual({ status: code.startsWith("000.") ? 200 : 400, code });
  if (code.startsWith("000.")) return;
  expect(answer.body.amount).toBeUndefined();
  // A request that is refused as such leaves no row.
  const rows = sandbox.ledger().map(({ resultCode, amount }) => [resultCode, amount]);
  expect(rows).toEqual(
    /^600\.200\.[34]00/.test(code) ? [] : [[code, sent.includes("amount=") ? expect.any(Number) : 9200]],
  );
});
