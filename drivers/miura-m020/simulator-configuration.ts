import { knownSredLayout } from "../../packages/sandbox/testbed/sred-layouts.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { encodeTlvs } from "../../src/emv/tlv.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import { tags } from "./message.ts";

/**
 * ARQCDOL.CFG, TCDOL.CFG and AACDOL.CFG of the sample configuration in the maker's SDK of 2017 (MPI-Config): the
 * objects of an answer, in order.
 */
const ARQC_DOL =
  "4F 50 57 5A 5F20 5F24 5F28 5F2A 5F30 5F34 82 84 95 9A 9B 9C 9F02 9F03 9F06 9F09 9F10 9F12 9F1A 9F1C 9F1E 9F25 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F41 9F45 9F53 DF28 DF30 DFAE02 DFAE03 DFAE04 DFAE05 DFAE57 DFAE5A";
const TC_DOL =
  "8A 42 4F 50 57 5A 5F20 5F24 5F25 5F28 5F30 5F34 82 84 95 9A 9B 9C 9F02 9F03 9F06 9F09 9F10 9F11 9F12 9F1A 9F1C 9F1E 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F41 9F53 9F5B 9F74 DF28 DF30 DFAE02 DFAE03 DFAE57 DFAE5A";
const AAC_DOL =
  "8A 4F 50 57 5A 5F20 5F24 5F28 5F2A 5F30 5F34 82 84 95 9A 9B 9C 9F02 9F03 9F06 9F09 9F10 9F12 9F1A 9F1C 9F1E 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F53 9F5B DF28 DF30 DFAE02 DFAE03 DFAE04 DFAE05 DFAE5A";

/** Further objects in recorded taps: entry mode, qualifiers of terminal and card, form factor. */
const OF_A_TAP = ["9F39", "9F66", "9F6C", "9F6E"];

const DOLS: Readonly<Record<"E3" | "E4" | "E5", readonly string[]>> = {
  E3: [...TC_DOL.split(" "), ...OF_A_TAP],
  E4: [...ARQC_DOL.split(" "), ...OF_A_TAP],
  E5: [...AAC_DOL.split(" "), ...OF_A_TAP],
};

/** P2PEDOL.CFG: data that it encrypts (PROTOCOL.md 4.6). */
export const miuraLayout = knownSredLayout("MIURA_M020");

/**
 * Tags that a device with SRED keys omits although its lists name them: number, track, holder and expiry (PROTOCOL.md
 * 7.7).
 */
const PROTECTED: readonly string[] = ["57", "5A", "5F20", "5F24"];

/** The objects of one answer, selected and ordered by the device's configuration. */
export function objectsFor(template: "E3" | "E4" | "E5", data: readonly Tlv[]): readonly Tlv[] {
  const byTag = new Map(data.map((object) => [object.tag, object]));
  return DOLS[template].flatMap((tag) => (PROTECTED.includes(tag) ? [] : (byTag.get(tag) ?? [])));
}

interface Item {
  readonly name: string;
  readonly version?: string;
}

/** RESET: software names of a current device. */
export const software: readonly Item[] = [
  { name: "M000-MPI", version: "1-60" },
  { name: "M000-OS", version: "8-3" },
];

/** GET CONFIGURATION VERSIONS: so many files that the answer takes two packets. */
export const configurationFiles: readonly Item[] = [
  { name: "ARQCDOL.CFG", version: "1.26" },
  { name: "AACDOL.CFG", version: "1.18" },
  { name: "TCDOL.CFG", version: "1.19" },
  { name: "OPDOL.CFG", version: "1.2" },
  { name: "P2PEDOL.CFG", version: "1.4" },
  { name: "TDOL.CFG", version: "1.1" },
  { name: "TRMDOL.CFG", version: "1.1" },
  { name: "emv.cfg", version: "1.52" },
  { name: "contactless.cfg", version: "1.33" },
  { name: "ctls-prompts.txt", version: "1.9" },
  { name: "prompts.txt", version: "1.14" },
  { name: "MPI-Dynamic.cfg", version: "1.12" },
];

/** GET DEVICE INFO. */
export const deviceInfo: readonly Item[] = [
  { name: "Smartcard" },
  { name: "Contactless" },
  { name: "USB_Bluetooth" },
  { name: "Display" },
  { name: "Keyboard" },
  { name: "Mag" },
  { name: "Model", version: "M020" },
];

/** One item inside ED or EF; an item without a version has no DF7F. */
export function itemTlv(kind: "ED" | "EF", { name, version }: Item): Tlv {
  const parts: readonly Tlv[] = [
    { tag: tags.itemName, value: fromAscii(name) },
    ...(version === undefined ? [] : [{ tag: tags.itemVersion, value: fromAscii(version) }]),
  ];
  return { tag: kind, value: encodeTlvs(parts) };
}
