import { fromAscii } from "../../../src/kit/bytes.ts";
import { toHex } from "../../../src/kit/hex.ts";
import type { CardProfile } from "./card-profile.ts";
import { SIGNATURE_FIRST, VISA } from "./deck-bases.ts";

/** Preferred languages, up to four of two letters (5F2D). */
const languages = (codes: string): readonly [string, string] => ["5F2D", toHex(fromAscii(codes))];

/** Contact chips of further brands, and of some countries. */
export const brandCards: readonly CardProfile[] = [
  {
    ...VISA,
    name: "amex",
    title: "American Express, 15 digits, signature",
    brand: "amex",
    cryptogramVersion: 0x01,
    aid: "A00000002501",
    label: "AMERICAN EXPRESS",
    pan: "374245001741015",
    cardholder: "TEST CARD/AMEX",
    cvmList: SIGNATURE_FIRST,
  },
  {
    ...VISA,
    name: "discover",
    title: "Discover, signature",
    brand: "discover",
    cryptogramVersion: 0x05,
    aid: "A0000001523010",
    label: "DISCOVER",
    pan: "6011000990139515",
    cardholder: "TEST CARD/DISCOVER",
    country: "0840",
    cvmList: SIGNATURE_FIRST,
  },
  {
    ...VISA,
    name: "jcb",
    title: "JCB, online PIN 1234",
    brand: "jcb",
    cryptogramVersion: 0x01,
    aid: "A0000000651010",
    label: "JCB CREDIT",
    pan: "3566002020360612",
    cardholder: "TEST CARD/JCB",
    country: "0392",
  },
  {
    ...VISA,
    name: "unionpay",
    title: "UnionPay credit, 19 digits, online PIN 1234",
    brand: "unionpay",
    cryptogramVersion: 0x01,
    aid: "A000000333010102",
    label: "UNIONPAY CREDIT",
    pan: "6212345678900000003",
    cardholder: "TEST CARD/UNIONPAY",
    country: "0156",
  },
  {
    ...VISA,
    name: "interac",
    title: "Interac, version 133, online PIN 1234",
    brand: "interac",
    cryptogramVersion: 0x85,
    aid: "A0000002771010",
    label: "INTERAC",
    pan: "4506440000000132",
    cardholder: "TEST CARD/INTERAC",
    country: "0124",
    issuerAuthentication: "mandatory",
    says: [languages("enfr")],
  },
  {
    ...VISA,
    name: "us-common-debit",
    title: "Visa debit of the United States: the merchant takes its second application, US DEBIT; online PIN 1234",
    label: "VISA DEBIT",
    pan: "4761739001011265",
    country: "0840",
    others: [{ aid: "A0000000980840", label: "US DEBIT" }],
    choice: 2,
    chooses: "merchant",
  },
  {
    ...VISA,
    name: "languages",
    title: "Visa of a holder who prefers German, then French, then Italian; online PIN 1234",
    pan: "4761739001011273",
    country: "0756",
    says: [languages("defrit")],
  },
];
