import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { capabilitiesOf } from "./members.ts";
import { verifoneDevice } from "./simulator-device.ts";

/** DF0D of the device, and of a keypad module if keypad and display are not built in. */
const P400 = ["P400"] as const;
const UX300 = ["UX300", "UX100"] as const;

const evidence = {
  confirmed: [
    "frames, chains and the answer to RESET: recorded traffic of UX300 and UX301 devices",
    "commands, tags and status words: the maker's own test harness and a shipping driver, both public",
    "E2 with sealed card data, and a swipe: recorded",
    "SRED data: TLV (57 and 5A; tracks 2 and 1; typed number and expiry), padding 80 00..., TDES CBC under a vector of each block's own, DUKPT data request key: published blocks open",
    "PIN block: ISO format 0 under the DUKPT PIN key: a published block opens",
  ],
  inferred: [
    "a tap in stripe mode sealed as 9F6B; a vector that is random",
    "a PIN block written in hexadecimal under host 05",
    "E6 before the card's data means a choice of application; what ends a transaction that waits for its host",
    "texts of the device's own screens, and all of its times",
  ],
} as const;

/** The device's side of a P400: chip, tap, magstripe and keyed numbers, with online PIN. */
export const verifoneP400Simulator: SimulatorModel = {
  id: "verifone-p400",
  driver: "verifone-p400",
  title: "Verifone P400",
  deviceType: "VERIFONE_P400",
  evidence,
  capabilities: capabilitiesOf(P400, true),
  look: { form: "counter", colour: "graphite", stripeAt: "right" },
  serialNumber: { usual: "807335123", pattern: /^[0-9]{9}$/, form: "nine digits" },
  create: (on) => simulatedTerminal(on, verifoneDevice(P400), verifoneP400Simulator),
};

/** The device's side of a UX300 with a UX100 as keypad, as recorded, without a contactless module. */
export const verifoneUx300Simulator: SimulatorModel = {
  id: "verifone-ux300",
  driver: "verifone-p400",
  title: "Verifone UX300",
  deviceType: "VERIFONE_P400",
  evidence,
  capabilities: capabilitiesOf(UX300, false),
  look: { form: "panel", colour: "silver", stripeAt: "top" },
  serialNumber: { usual: "986272827", pattern: /^[0-9]{9}$/, form: "nine digits" },
  create: (on) => simulatedTerminal(on, verifoneDevice(UX300), verifoneUx300Simulator),
};
