import type { Look } from "../../src/simulator/look.ts";
import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { memberOf, modelIn } from "./members.ts";
import { neoDevice } from "./simulator-device.ts";

const evidence: SimulatorModel["evidence"] = {
  confirmed: [
    "frames, HID reports, commands and status codes: the maker's NEO 2 developer's guide and a public WebHID driver, every checksum recomputed",
    "tag 57 and 5A masked and encrypted, key and padding: two published answers decrypted; a swipe's record: the maker's manual and a published record",
    "key state, start-up and switch notices, dialogue of readers without a screen: the guide",
  ],
  inferred: [
    "layout of a switch notice and of the answer to a menu; what a cancelled command still answers",
    "tracks of a tap in stripe mode (DFEF4C, DFEF4D), and that a swiped chip card is asked to its slot by a message",
    "how long the device waits for the host, and all of the driver's own times; result 3005 of a card that was pulled",
    "the name IDTECH_VP3300 of the device type; product ids but 0ACD:3530; what members beside the VP3300 call themselves and have",
  ],
};

/** The device's side of one family member, over HID reports or a serial line. */
function simulatorOf(id: string, title: string, look: Look, firmware: string): SimulatorModel {
  const model: SimulatorModel = {
    id,
    driver: "idtech-vp3300",
    title,
    deviceType: "IDTECH_VP3300",
    evidence,
    capabilities: memberOf(modelIn(firmware)).capabilities,
    look,
    serialNumber: {
      usual: "10000496",
      pattern: /^[0-9A-Z]{8,15}$/,
      form: "eight to fifteen digits and capital letters",
    },
    create: (on) => simulatedTerminal(on, (device) => neoDevice(device, firmware), model),
  };
  return model;
}

export const idtechVp3300Simulator: SimulatorModel = simulatorOf(
  "idtech-vp3300",
  "ID TECH VP3300",
  { form: "low", colour: "white", stripeAt: "top" },
  "VP3300 USB NEO v1.01.064",
);
export const idtechVp8800Simulator: SimulatorModel = simulatorOf(
  "idtech-vp8800",
  "ID TECH VP8800",
  { form: "counter", colour: "graphite", stripeAt: "right" },
  "VP8800 FW v1.00.026",
);
export const idtechKioskSimulator: SimulatorModel = simulatorOf(
  "idtech-kiosk",
  "ID TECH Kiosk III",
  { form: "panel", colour: "graphite", stripeAt: "top" },
  "Kiosk III v2.01.008",
);
