import type { Brand } from "./cryptogram.ts";

export interface Application {
  readonly aid: string;
  readonly label: string;
}

/**
 * A simulated card: its personalisation, its holder's behaviour and its faults. Numbers are those of public test cards.
 */
export interface CardProfile extends Application {
  readonly name: string;
  /** One line for `simulate --list`. */
  readonly title: string;
  readonly brand: Brand;
  /** Cryptogram version number, a byte of 9F10. */
  readonly cryptogramVersion: number;
  readonly pan: string;
  /** PAN sequence number (5F34), two digits. */
  readonly panSequenceNumber: string;
  /** YYMMDD, as in 5F24. */
  readonly expiry: string;
  /** As in track 2; the first digit indicates a chip, the third the PIN requirement (ISO/IEC 7813). */
  readonly serviceCode: string;
  readonly cardholder: string;
  /** ISO 3166 numeric code of the issuer's country (5F28). */
  readonly country: string;
  /** Application interchange profile (82). */
  readonly aip: string;
  /** Whether combined data authentication (CDA) is done; a terminal's kernel may omit it despite the AIP. */
  readonly signs: boolean;
  /** CVM list (8E): two amounts of four bytes, then rules of two bytes. */
  readonly cvmList: string;
  /** The PIN known to issuer and chip. */
  readonly pin: string;
  /** PINs that the holder types, one for each entry, repeated from the start. */
  readonly typed: readonly string[];
  readonly firstDecision: "online" | "approve" | "decline";
  /** The second GENERATE AC: as requested, or AAC despite the issuer's approval. */
  readonly secondDecision: "as-asked" | "decline";
  /**
   * "mandatory": no TC without a valid tag 91. "optional": tag 91 may be missing but not wrong. "refuses": rejects
   * every tag 91.
   */
  readonly issuerAuthentication: "mandatory" | "optional" | "refuses";
  /** SELECT reports a blocked application. */
  readonly blocked: boolean;
  /** The holder's usual way to present it. */
  readonly presents: "insert" | "tap" | "swipe" | "key";
  /** "unreadable": answers to reset only. "none": a card with only a magstripe. */
  readonly chip: "works" | "unreadable" | "none";
  /** The contactless interface; `insert-instead`: asks for the slot (EMV Book A, "try another interface"). */
  readonly tap: "none" | "chip" | "magstripe" | "insert-instead";
  /** Cardholder verification after a tap; "device": by the telephone itself. */
  readonly tapVerification: "none" | "online-pin" | "device";
  /** A telephone still locked at the first tap. */
  readonly asksFirst: boolean;
  /**
   * Further applications. `choice` counts from 1; with `chooses` "merchant" the terminal selects it and nobody is
   * asked.
   */
  readonly others: readonly Application[];
  readonly choice: number;
  readonly chooses: "holder" | "merchant";
  /** Extra objects, tag and value in hexadecimal: terminals pass on unknown ones. */
  readonly says: readonly (readonly [tag: string, value: string])[];
}
