import type { Brand } from "./cryptogram.ts";

/** A simulated contact card: what is personalised on it, what its holder does, and how it misbehaves. Numbers are those of public test cards. */
export interface CardProfile {
  readonly name: string;
  /** One line for `simulate --list`. */
  readonly title: string;
  readonly brand: Brand;
  /** Cryptogram version: the byte in 9F10. */
  readonly cryptogramVersion: number;
  readonly aid: string;
  readonly label: string;
  readonly pan: string;
  /** PAN sequence number (5F34), two digits. */
  readonly panSequenceNumber: string;
  /** YYMMDD, as 5F24 holds it. */
  readonly expiry: string;
  readonly serviceCode: string;
  readonly cardholder: string;
  /** ISO 3166 numeric code of the issuer's country (5F28). */
  readonly country: string;
  /** Application interchange profile (82). */
  readonly aip: string;
  /** CVM list (8E): two amounts of four bytes, then rules of two bytes. */
  readonly cvmList: string;
  /** The PIN the issuer knows. */
  readonly pin: string;
  /** What the holder types, one after another over the card's transactions, then from the beginning again. */
  readonly typed: readonly string[];
  readonly firstDecision: "online" | "approve" | "decline";
  /** The second GENERATE AC: as asked, or a refusal although the issuer approved. */
  readonly secondDecision: "as-asked" | "decline";
  /** "mandatory": without a good tag 91 no TC. "optional": a missing one is accepted, a wrong one is not. "refuses": takes every one for wrong. */
  readonly issuerAuthentication: "mandatory" | "optional" | "refuses";
  /** SELECT answers that the application is blocked. */
  readonly blocked: boolean;
}

/** CVM lists (EMV Book 3, annex C3): online PIN where the terminal can, else signature, else none; and none always. */
const ONLINE_PIN_FIRST = "000000000000000042035E031F00";
const NO_VERIFICATION = "00000000000000001F00";

const VISA = {
  brand: "visa",
  cryptogramVersion: 0x0a,
  aid: "A0000000031010",
  label: "VISA CREDIT",
  panSequenceNumber: "00",
  expiry: "311231",
  serviceCode: "201",
  cardholder: "TEST CARD/VISA",
  country: "0276",
  aip: "1C00",
  cvmList: ONLINE_PIN_FIRST,
  pin: "1234",
  typed: ["1234"],
  firstDecision: "online",
  secondDecision: "as-asked",
  issuerAuthentication: "optional",
  blocked: false,
} as const;

const MASTERCARD = {
  ...VISA,
  brand: "mastercard",
  cryptogramVersion: 0x10,
  aid: "A0000000041010",
  label: "MASTERCARD",
  panSequenceNumber: "01",
  cardholder: "TEST CARD/MASTERCARD",
  aip: "3900",
  issuerAuthentication: "mandatory",
} as const;

/** Every card that works in a simulated terminal. Each has a number of its own, because an issuer tells cards apart by it. */
export const deck: readonly CardProfile[] = [
  { ...VISA, name: "visa-contact", title: "Visa, CVN 10, online PIN 1234", pan: "4761340000000050" },
  {
    ...VISA,
    name: "visa-contact-cvn18",
    title: "Visa debit, CVN 18 (common session key, ARPC method 2), online PIN 1234",
    cryptogramVersion: 0x12,
    label: "VISA DEBIT",
    pan: "4761739001010010",
    panSequenceNumber: "01",
    issuerAuthentication: "mandatory",
  },
  { ...MASTERCARD, name: "mastercard-contact", title: "Mastercard, M/Chip 10, online PIN 1234", pan: "5413330089600044" },
  {
    ...VISA,
    name: "contact-declines-after-approval",
    title: "Visa that answers AAC at the second GENERATE AC although the issuer approved",
    pan: "4761739001010119",
    secondDecision: "decline",
  },
  {
    ...VISA,
    name: "offline-declines",
    title: "Visa that answers AAC at the first GENERATE AC",
    pan: "4761739001010135",
    cvmList: NO_VERIFICATION,
    firstDecision: "decline",
  },
  {
    ...VISA,
    name: "offline-approves",
    title: "Visa that answers TC at the first GENERATE AC",
    pan: "4012888888881881",
    cvmList: NO_VERIFICATION,
    firstDecision: "approve",
  },
  {
    ...VISA,
    name: "wrong-arpc",
    title: "Visa that takes every issuer cryptogram for wrong, so answers AAC after an approval",
    pan: "4484070000000000",
    issuerAuthentication: "refuses",
  },
  {
    ...VISA,
    name: "wrong-pin-once",
    title: "Visa whose holder types 9999 in one transaction and 1234 in the next",
    pan: "4462030000000000",
    typed: ["9999", "1234"],
  },
  {
    ...MASTERCARD,
    name: "blocked-application",
    title: "Mastercard whose application is blocked",
    pan: "5454545454545454",
    blocked: true,
  },
];

/** The card of that name, or undefined. */
export function cardNamed(name: string): CardProfile | undefined {
  return deck.find((card) => card.name === name);
}

/** The card with that number: what an issuer knows its own cards by. */
export function cardWithPan(pan: string): CardProfile | undefined {
  return deck.find((card) => card.pan === pan);
}
