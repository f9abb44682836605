import type { CardProfile } from "./card-profile.ts";
import { MASTERCARD, VISA } from "./deck-bases.ts";

/** Rules of a CVM list, after its two amounts (EMV Book 3, annex C3). */
const list = (rules: string): string => `0000000000000000${rules}`;
/** Offline plaintext PIN, else online PIN, else signature, else none. */
const PLAIN_PIN_FIRST = list("410342035E031F00");
const ENCIPHERED_PIN_FIRST = list("440342035E031F00");
/** Offline enciphered PIN, without a rule after a wrong PIN. */
const ENCIPHERED_PIN_ALONE = list("04031F03");
const SIGNATURE_ALONE = list("1E00");

/** Cards that verify the holder, or authenticate their data, offline. */
export const verificationCards: readonly CardProfile[] = [
  {
    ...VISA,
    name: "offline-pin",
    title: "Visa that compares its PIN 1234 itself, typed in plain",
    pan: "4761739001011232",
    cvmList: PLAIN_PIN_FIRST,
  },
  {
    ...MASTERCARD,
    name: "offline-pin-enciphered",
    title: "Mastercard that compares its PIN itself, enciphered; its holder types 9999 first, then 1234",
    pan: "5413330089601216",
    cvmList: ENCIPHERED_PIN_FIRST,
    typed: ["9999", "1234"],
  },
  {
    ...MASTERCARD,
    name: "offline-pin-blocked",
    title: "Mastercard whose holder types a wrong PIN until the card blocks it; declined by its issuer",
    pan: "5413330089601224",
    cvmList: ENCIPHERED_PIN_ALONE,
    typed: ["9999", "8888", "7777", "1234"],
  },
  {
    ...VISA,
    name: "signature-only",
    title: "Visa without PIN, signature alone",
    pan: "4761739001011240",
    cvmList: SIGNATURE_ALONE,
  },
  {
    ...VISA,
    name: "cda",
    title: "Visa that signs its cryptogram (CDA), so that the terminal knows it is genuine; online PIN 1234",
    pan: "4761739001011257",
    aip: "3D00",
    signs: true,
  },
];
