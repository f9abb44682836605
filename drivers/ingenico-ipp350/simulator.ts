import type { Look } from "../../src/simulator/look.ts";
import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { capabilitiesOf } from "./members.ts";
import type { Unit } from "./simulator-core.ts";
import { rbaDevice } from "./simulator-device.ts";

const evidence: SimulatorModel["evidence"] = {
  confirmed: [
    "frames, acknowledgements, HID reports, serial line and TCP port: an open point of sale (IS4C) and a public sample of the network protocol",
    "messages 00 07 11 13 23 24 28 29 31 33 61, exits and tags by name: the names in a kiosk's software, where it runs against an iUC285",
    "track 3 of a swipe in mode 19: that open point of sale, in production with an iSC250",
  ],
  inferred: [
    "values of fields and whole bodies: test material of doubtful origin, and nothing else for many of them",
    "online PIN in a chip's transaction: two designs, one member each (in 33.03, or asked for by 31.); statuses of 31. but 0",
    "separators of 07.; what an EMV object's length counts in hexadecimal; packets of one message; 14. of a refund",
    "key variant and plaintext of mode 19, tag FF1F as its record, the name INGENICO_IPP350 of the device type; all times but those a kiosk uses",
  ],
};

function simulatorOf(id: string, title: string, look: Look, unit: Unit): SimulatorModel {
  const model: SimulatorModel = {
    id,
    driver: "ingenico-ipp350",
    title,
    deviceType: "INGENICO_IPP350",
    evidence,
    capabilities: capabilitiesOf(unit.device, {}),
    look,
    options: { currency: "EUR" },
    serialNumber: { usual: "80412345", pattern: /^[0-9A-Z]{6,16}$/, form: "six to sixteen digits and capital letters" },
    create: (on) => simulatedTerminal(on, (device) => rbaDevice(device, unit), model),
  };
  return model;
}

/** RBA: the device asks for the PIN inside the chip transaction. */
export const ingenicoIpp350Simulator: SimulatorModel = simulatorOf(
  "ingenico-ipp350",
  "Ingenico iPP350 (RBA)",
  { form: "counter", colour: "blue", stripeAt: "right" },
  {
    device: "iPP350",
    application: "RBA 23.0.4",
    pin: "in-transaction",
  },
);
/** UPP: the host asks for the PIN. */
export const ingenicoLane3000Simulator: SimulatorModel = simulatorOf(
  "ingenico-lane3000",
  "Ingenico Lane/3000 (UPP)",
  { form: "counter", colour: "white", stripeAt: "right" },
  {
    device: "Lane3000",
    application: "UPP 6.10.2",
    pin: "by-host",
  },
);
/** Unattended: the customer can type only a PIN. */
export const ingenicoIuc285Simulator: SimulatorModel = simulatorOf(
  "ingenico-iuc285",
  "Ingenico iUC285 (RBA)",
  { form: "panel", colour: "graphite", stripeAt: "top" },
  {
    device: "iUC285",
    application: "RBA 23.0.4",
    pin: "in-transaction",
  },
);
