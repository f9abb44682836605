import type { CardProfile } from "./card-profile.ts";
import {
  MAGSTRIPE,
  MASTERCARD,
  MASTERCARD_TAP,
  NO_VERIFICATION,
  SIGNATURE_FIRST,
  VISA,
  VISA_TAP,
} from "./deck-bases.ts";
import { brandCards } from "./deck-brands.ts";
import { verificationCards } from "./deck-verification.ts";
import { HOSTILE_OBJECTS, LONG_OBJECTS } from "./odd-objects.ts";

const chips: readonly CardProfile[] = [
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
  {
    ...MASTERCARD,
    name: "mastercard-contact",
    title: "Mastercard, M/Chip 10, online PIN 1234",
    pan: "5413330089600044",
  },
  {
    ...MASTERCARD,
    name: "signature",
    title: "Mastercard that wants a signature",
    pan: "5413330089601125",
    cvmList: SIGNATURE_FIRST,
  },
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
    name: "refund-aac",
    title: "Visa for refunds, to which it answers AAC; else as visa-contact",
    pan: "4761739001010507",
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
  {
    ...VISA,
    name: "two-applications",
    title: "Visa credit and V PAY on one chip; the holder chooses the second",
    pan: "4761739001010606",
    others: [{ aid: "A0000000032020", label: "V PAY" }],
    choice: 2,
  },
  {
    ...VISA,
    name: "attacker",
    title: "Visa with hostile labels, lengths and objects, and an honest cryptogram",
    pan: "4761739001010804",
    label: '<b onclick="x"\u001b',
    says: HOSTILE_OBJECTS,
  },
  {
    ...VISA,
    name: "long-data",
    title: "Visa with a number of 19 digits, an application identifier of 16 bytes, and two kilobytes of data",
    pan: "4761739001010901238",
    aid: "A0000000031010112233445566778899",
    says: LONG_OBJECTS,
  },
];

const taps: readonly CardProfile[] = [
  {
    ...VISA_TAP,
    name: "visa-contactless",
    title: "Visa to tap, CVN 18, no PIN but when its issuer asks for it (1234)",
    pan: "4761739001010200",
  },
  {
    ...MASTERCARD_TAP,
    name: "mastercard-contactless",
    title: "Mastercard to tap, M/Chip 14, no PIN but when its issuer asks for it (1234)",
    pan: "5413330089601034",
  },
  {
    ...VISA_TAP,
    name: "visa-contactless-pin",
    title: "Visa to tap, with online PIN 1234",
    pan: "4761739001010218",
    tapVerification: "online-pin",
  },
  {
    ...MASTERCARD_TAP,
    name: "mastercard-contactless-pin",
    title: "Mastercard to tap, with online PIN 1234",
    pan: "5413330089601042",
    tapVerification: "online-pin",
  },
  {
    ...VISA_TAP,
    name: "visa-phone",
    title: "Visa in a phone, which asks its holder first and is then tapped again; no PIN",
    pan: "4761739001011109",
    chip: "none",
    tapVerification: "device",
    asksFirst: true,
  },
  {
    ...MASTERCARD_TAP,
    name: "mastercard-phone",
    title: "Mastercard in an unlocked phone: verified by the device, no PIN",
    pan: "5413330089601158",
    chip: "none",
    tapVerification: "device",
  },
  {
    ...MASTERCARD_TAP,
    name: "magstripe-contactless",
    title: "Mastercard to tap, in stripe mode: no cryptogram",
    pan: "5413330089601091",
    tap: "magstripe",
    chip: "none",
    serviceCode: "101",
  },
  {
    ...VISA_TAP,
    name: "contactless-declines",
    title: "Visa to tap that answers AAC",
    pan: "4761739001011216",
    firstDecision: "decline",
  },
  {
    ...VISA_TAP,
    name: "contactless-wants-slot",
    title: "Visa that answers a tap with a request for its chip; online PIN 1234",
    pan: "4761739001011224",
    tap: "insert-instead",
  },
];

const stripes: readonly CardProfile[] = [
  { ...VISA, ...MAGSTRIPE, name: "magstripe", title: "Visa with a stripe only, no PIN", pan: "4761739001010309" },
  {
    ...MASTERCARD,
    ...MAGSTRIPE,
    name: "magstripe-pin",
    title: "Mastercard with a stripe only, online PIN 1234",
    pan: "5413330089601067",
    serviceCode: "120",
  },
  {
    ...VISA,
    name: "fallback",
    title: "Visa with a broken chip, swiped when the terminal asks for that",
    pan: "4761739001010408",
    chip: "unreadable",
  },
  {
    ...VISA,
    name: "manual",
    title: "Visa whose number and expiry (12/31) are typed",
    pan: "4761739001010705",
    presents: "key",
  },
];

/** All cards for simulated terminals. Each has its own number, because the issuer identifies cards by it. */
export const deck: readonly CardProfile[] = [...chips, ...verificationCards, ...brandCards, ...taps, ...stripes];

const byName: ReadonlyMap<string, CardProfile> = new Map(deck.map((card) => [card.name, card]));

export function cardNamed(name: string): CardProfile | undefined {
  return byName.get(name);
}

/** The card with that number; the issuer identifies its cards by it. */
export function cardWithPan(pan: string): CardProfile | undefined {
  return deck.find((card) => card.pan === pan);
}
