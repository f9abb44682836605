import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { memberOf } from "./members.ts";
import { padDevice } from "./simulator-device.ts";

const evidence: SimulatorModel["evidence"] = {
  confirmed: [
    "steps of a chip's transaction, objects and their lengths, kinds of cryptogram: EMV Books 3 and 4",
    "nothing else by any openly licensed source",
  ],
  inferred: [
    "frames, check, acknowledgements, commands, return codes, call-backs and most layouts: one host library that names the maker as its author and was published " +
      "by others without a licence; unconfirmed",
    "serial speed; repetition of an answer that is not acknowledged; how long each step may take",
    "key serial number told behind the last sealed object; what is sealed, how it is laid out, and the key variant; tracks of a swipe sealed one by one",
    "the layout of the command that sets the clock; the objects by which currency and type are set",
    "contactless is left out: the only known answer to a tap carries number and tracks in clear, in fields that no ciphertext fits",
  ],
};

/** First byte of a D180's terminal information. */
const CODE = 0x23;

/** The device's side of a D180: chip and magstripe, keys and a small screen. */
export const paxD180Simulator: SimulatorModel = {
  id: "pax-d180",
  driver: "pax-d180",
  title: "PAX D180",
  deviceType: "PAX_D180",
  evidence,
  capabilities: memberOf(CODE).capabilities,
  look: { form: "hand", colour: "white", stripeAt: "right" },
  serialNumber: {
    usual: "53000496",
    pattern: /^[0-9A-Z]{8,32}$/,
    form: "eight to thirty-two digits and capital letters",
  },
  create: (on) => simulatedTerminal(on, (device) => padDevice(device, CODE), paxD180Simulator),
};
