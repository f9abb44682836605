import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { miuraDevice } from "./simulator-device.ts";

/** A Miura M020 as PROTOCOL.md describes it, from the device's side: contact chip with online PIN. */
export const miuraM020Simulator: SimulatorModel = {
  id: "miura-m020",
  title: "Miura M020",
  deviceType: "MIURA_M020",
  evidence: {
    confirmed: [
      "frames, commands, templates and status words: the maker's own SDK and recorded traffic",
      "tags of E3, E4 and E5: the maker's sample configuration and recorded answers",
    ],
    inferred: [
      "SRED data: TLV 5A and 57, zero padded, TDES CBC, DUKPT data request key; no public source tells",
      "PIN block: ISO format 0 under the DUKPT PIN key",
      "texts of PIN events but for PIN OK, and all of the device's own times",
    ],
  },
  create: (on) => simulatedTerminal(on, miuraDevice),
};
