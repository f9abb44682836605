import { encodeTlv, encodeTlvs, type Tlv } from "../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { tags, templates } from "./message.ts";

/**
 * Objects of the recorded E2, and of E4 and E5 as the sources name them. Objects that a card or kernel lacks are
 * omitted.
 */
const E2_TAGS = "50 57 5A 5F24 5F25 5F28 5F34 9F06 9F07 9F08 9F09";
const FIRST_TAGS =
  "9F39 50 5A 57 5F24 5F34 82 84 95 9B 9A 9C 9F02 9F03 5F2A 9F1A 9F06 9F09 9F10 9F12 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F1E 9F41 9F66 9F6C 9F6E 8A DFDF06 DFDF07 DFDF08";
const FINAL_TAGS = "8A 50 5A 82 84 95 9B 9A 9C 9F02 5F2A 9F06 9F10 9F26 9F27 9F34 9F36 9F37 9F5B";

const LISTS = { E2: E2_TAGS.split(" "), first: FIRST_TAGS.split(" "), final: FINAL_TAGS.split(" ") } as const;

/** The objects of one answer, selected and ordered by the device's configuration. */
export function objectsFor(list: keyof typeof LISTS, data: readonly Tlv[]): readonly Tlv[] {
  const byTag = new Map(data.map((object) => [object.tag, object]));
  return LISTS[list].flatMap((tag) => byTag.get(tag) ?? []);
}

const text = (tag: string, value: string): Tlv => ({ tag, value: fromAscii(value) });
const hex = (tag: string, value: string): Tlv => ({ tag, value: fromHex(value) });
const component = (name: string, version: string): readonly Tlv[] => [
  text(tags.componentName, name),
  text(tags.componentVersion, version),
];
const module = (name: string, version: string, ...components: readonly (readonly [string, string])[]): Tlv => ({
  tag: templates.module,
  value: encodeTlvs([
    text(tags.itemName, name),
    text(tags.itemVersion, version),
    ...components.flatMap(([part, of]) => component(part, of)),
  ]),
});

/**
 * As recorded from a UX300, with the modules of a device of this kind. The second EE of a UX300 is its keypad
 * (PROTOCOL.md 7.1).
 */
function deviceTlv(model: string, serialNumber: string): Tlv {
  return {
    tag: templates.device,
    value: encodeTlvs([
      text("9F1E", serialNumber),
      text("DF8108", "Architecture"),
      text("DF8109", "V/OS"),
      text(tags.itemName, model),
      text(tags.itemVersion, "release-31013400"),
      ...[
        ...component("SBI", "03.13"),
        ...component("CIB", "30250000"),
        ...component("Vault", "17.0.3.10103"),
        ...component("OS_SRED", "1.10.0"),
      ],
      hex(tags.removal, "00"),
      hex(tags.tamper, "00"),
      hex("DFEC1F", "0000716B"),
    ]),
  };
}

/** 9F1C: eight characters. */
export function terminalId(serialNumber: string): Tlv {
  return text("9F1C", serialNumber.slice(-8).padStart(8, "0"));
}

const DAILY_RESTART = "000000";

const SOFTWARE: readonly Tlv[] = [
  module("RELEASE", "6.8.2.24"),
  {
    tag: templates.module,
    value: encodeTlvs([
      ...component("VSD SRED Library", "0.0.0.17"),
      hex("DFDB0E", "00000C01"),
      hex("DFDB08", "00000000"),
      hex(tags.whitelistHash, "B2899DC8E32C614D699151D4B900A8BE6E82664F0D3C5AD77D570BC5023CC7ED"),
    ]),
  },
  hex(tags.longestCommand, "00200000"),
  hex("DFA21E", "00000007"),
  module("AUTHAPP", "0.0.0.5"),
  module(
    "CICAPP",
    "2.0.5.3",
    ["ADK_EMV_CTLS_Fr", "5.40.5-92"],
    ["ADK_EMV_CTLS_Ke", "EP2.0.4l;MK2.2."],
    ["EMV_Kernel", "EP2.0.4l;MK2.2."],
  ),
  module("GUIPROXY_APP", "1.0.0.0"),
  module("MAPP", "2.0.0.7", ["ADK", ""], ["VIPA", "6.8.2.24"], ["libpinGUI", "2.0.2.0"], ["libsred", "0.0.0.17"]),
  module("WATCHDOG", "1.0.0.0"),
  module("CARDAPP", "", ["ADK_EMV_CT_Fram", "4.10.5-92"], ["ADK_EMV_CT_Kern", "L27.0.3l"]),
];

const ALL = 0x80;

/** RESET: component list only if P2 asks for it (PROTOCOL.md 3.3). The long form takes several packets. */
export function resetAnswer(units: readonly string[], serialNumber: string, p2: number): Uint8Array {
  // A module has its own serial number: the device's reversed, so that tests can tell them apart.
  const numbers = [serialNumber, [...serialNumber].toReversed().join("")];
  const devices = units.map((model, at) => deviceTlv(model, numbers[at] ?? serialNumber));
  return encodeTlvs([
    terminalId(serialNumber),
    text(tags.dailyReset, DAILY_RESTART),
    ...devices,
    ...((p2 & ALL) === 0 ? [] : SOFTWARE),
  ]);
}

const files: readonly (readonly [string, string])[] = [
  ["vipa_ver", "sphere.sphere.vipa....p400.6_8_2_24.211217"],
  ["emv_ver", "sphere.sphere.emv.attended.6_8_2_23.211217"],
  ["idle_ver", "sphere.sphere.idle...199..6_8_2_23.211217"],
];

/** CONFIGURATION VERSIONS. */
export const configurationAnswer: Uint8Array = concat(
  ...files.flatMap(([name, version]) => [
    encodeTlv(tags.configurationName, fromAscii(name)),
    encodeTlv(tags.configurationVersion, fromAscii(version)),
  ]),
);
