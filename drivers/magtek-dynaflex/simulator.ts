import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { capabilitiesOf, type Member, plain, pro, prox } from "./members.ts";
import { dynaflexDevice } from "./simulator-device.ts";

/** The device's side of one family member. */
function simulatorOf(member: Member): SimulatorModel {
  const model: SimulatorModel = {
    id: member.id,
    driver: "magtek-dynaflex",
    title: member.title,
    deviceType: "MAGTEK_DYNAFLEX",
    evidence: {
      confirmed: [
        "messages, commands, notifications, properties, HID reports and SLIP frames: the maker's own manual and its WebHID driver",
        "structure of ARQC and batch data: the manual, and one ARQC of a real device; ciphertext under the data request key of DUKPT: the manual's own sample opens with a published key",
      ],
      inferred: [
        "the answer to an ARQC (RESUME) and what follows: the manual alone, no recorded traffic; the order of outcome and batch data differs in it",
        "after a swipe the device waits for the issuer's answer as after a chip; the MAC is the first four bytes",
        "a PIN for a tap goes into the same ciphertext; all of the device's own times",
      ],
    },
    capabilities: capabilitiesOf(member),
    look: member.touch
      ? { form: "counter", colour: "silver", stripeAt: "right" }
      : { form: "low", colour: "silver", stripeAt: "top" },
    serialNumber: { usual: "B603226", pattern: /^[0-9A-F]{7}$/, form: "seven digits or letters from A to F" },
    network: "websocket",
    create: (on) => simulatedTerminal(on, (device) => dynaflexDevice(device, member), model),
  };
  return model;
}

export const magtekDynaflexSimulator: SimulatorModel = simulatorOf(pro);
export const magtekDynaflexPlainSimulator: SimulatorModel = simulatorOf(plain);
export const magtekDynaproxSimulator: SimulatorModel = simulatorOf(prox);
