import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { familyCapabilities } from "../vipa/members.ts";
import { miuraDevice } from "./simulator-device.ts";

/** The device's side of a Miura M020: chip, tap, magstripe and keyed numbers, with online PIN. */
export const miuraM020Simulator: SimulatorModel = {
  id: "miura-m020",
  driver: "miura-m020",
  title: "Miura M020",
  deviceType: "MIURA_M020",
  evidence: {
    confirmed: [
      "frames, commands, templates and status words: the maker's own SDK and recorded traffic",
      "tags of E3, E4 and E5: the maker's sample configuration and recorded answers",
      "swipes: a recorded one in the maker's SDK; taps: recorded answers",
    ],
    inferred: [
      "SRED data: TLV (5A and 57; 9F6B; tracks 1 and 2; typed number and expiry), zero padded, TDES CBC, DUKPT data request key; no public source tells",
      "PIN block: ISO format 0 under the DUKPT PIN key",
      "a number that is typed (GET SECURE DATA): names of the maker's later SDK alone; ONLINE PIN while a tap waits for the host",
      "texts of PIN events but for PIN OK, and all of the device's own times",
    ],
  },
  capabilities: familyCapabilities,
  look: { form: "hand", colour: "graphite", stripeAt: "top" },
  serialNumber: { usual: "10000496", pattern: /^[0-9]{8}$/, form: "eight digits" },
  create: (on) => simulatedTerminal(on, miuraDevice, miuraM020Simulator),
};
