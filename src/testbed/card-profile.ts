import type { Brand } from "./cryptogram.ts";

/** One application of a card, as its chip names it. */
export interface Application {
  readonly aid: string;
  readonly label: string;
}

/** A simulated card: what is personalised on it, what its holder does, and how it misbehaves. Numbers are those of public test cards. */
export interface CardProfile extends Application {
  readonly name: string;
  /** One line for `simulate --list`. */
  readonly title: string;
  readonly brand: Brand;
  /** Cryptogram version: the byte in 9F10. */
  readonly cryptogramVersion: number;
  readonly pan: string;
  /** PAN sequence number (5F34), two digits. */
  readonly panSequenceNumber: string;
  /** YYMMDD, as 5F24 holds it. */
  readonly expiry: string;
  /** As track 2 holds it; the first digit says whether there is a chip, the third what PIN it wants (ISO/IEC 7813). */
  readonly serviceCode: string;
  readonly cardholder: string;
  /** ISO 3166 numeric code of the issuer's country (5F28). */
  readonly country: string;
  /** Application interchange profile (82). */
  readonly aip: string;
  /** Whether card and terminal do combined data authentication (CDA); a terminal's kernel may leave it out although the AIP offers it. */
  readonly signs: boolean;
  /** CVM list (8E): two amounts of four bytes, then rules of two bytes. */
  readonly cvmList: string;
  /** The PIN that issuer and chip know. */
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
  /** How its holder presents it when a card is asked for. */
  readonly presents: "insert" | "tap" | "swipe" | "key";
  /** "unreadable": it answers to reset, and then nothing more. "none": a card with a magstripe only. */
  readonly chip: "works" | "unreadable" | "none";
  /** What a reader gets of it over the air; `insert-instead`: its application there says that it wants the slot (EMV Book A, "try another interface"). */
  readonly tap: "none" | "chip" | "magstripe" | "insert-instead";
  /** How its holder is verified after a tap: "device" is a telephone's own business. */
  readonly tapVerification: "none" | "online-pin" | "device";
  /** A telephone that is still locked when it is tapped first. */
  readonly asksFirst: boolean;
  /** Applications beside the first; `choice` (1 is the first) is taken by whom `chooses` names: the merchant has set his terminal to it and nobody is asked. */
  readonly others: readonly Application[];
  readonly choice: number;
  readonly chooses: "holder" | "merchant";
  /** What it says besides, tag and value in hexadecimal: terminals pass on what they do not know. */
  readonly says: readonly (readonly [tag: string, value: string])[];
}
