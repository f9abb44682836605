import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { capabilitiesOf, type Member, members } from "./members.ts";
import { v5Device } from "./simulator-device.ts";

/** The device's side of one family member. */
function simulatorOf(member: Member): SimulatorModel {
  const model: SimulatorModel = {
    id: `magtek-${member.name}`,
    driver: "magtek-edynamo",
    title: member.title,
    deviceType: "MAGTEK_EDYNAMO",
    evidence: {
      confirmed: [
        "commands, answers, packets and notifications: the maker's manuals of eDynamo and mDynamo and its WebHID driver, with their published frames",
        "structure of ARQC, answer and result at security level 3, the MAC that is not calculated: the same manuals",
        "frames on a serial line, run lengths included: the manual of mDynamo",
      ],
      inferred: [
        "eDynamo and tDynamo on a serial line, which they do not have: a pseudo-terminal has no HID reports",
        "the order of events, the cancel of a card that is being read, the host's answer after a swipe; tracks under a key of their own; all of the device's own times",
      ],
    },
    capabilities: capabilitiesOf(member),
    serialNumber: { usual: "B3F2A1C", pattern: /^[0-9A-Z]{4,15}$/, form: "four to fifteen digits or capital letters" },
    options: { reader: member.name },
    create: (on) => simulatedTerminal(on, (device) => v5Device(device, member), model),
  };
  return model;
}

export const magtekEdynamoSimulator: SimulatorModel = simulatorOf(members.edynamo);
export const magtekTdynamoSimulator: SimulatorModel = simulatorOf(members.tdynamo);
export const magtekDynawaveSimulator: SimulatorModel = simulatorOf(members.dynawave);
