import { concat, fromAscii } from "../../src/kit/bytes.ts";
import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { type Device, type DeviceOn, simulatedTerminal } from "../../src/simulator/terminal-body.ts";
import { cutFrames } from "./frame.ts";
import { familyCapabilities } from "./members.ts";
import { answerFrame, COMMANDS, parseAnswer } from "./message.ts";

/** How long the device takes to answer, in milliseconds. */
const ANSWER_MS = 4;
const DONE = 0x00;
const UNKNOWN = 0x01;

/**
 * The protocol from the device's side. Cards come with src/simulator/card-session.ts: drive one, and put what it says
 * into the device's own words.
 */
function device(on: DeviceOn): Device {
  let pending: Uint8Array = new Uint8Array(0);
  const forget = (): void => {
    pending = new Uint8Array(0);
  };
  const answer = (body: Uint8Array): void => {
    const { command } = parseAnswer(body);
    const identity = concat(fromAscii(on.serialNumber), Uint8Array.of(0), fromAscii("1.0"));
    const [status, data] =
      command === COMMANDS.identify
        ? [DONE, identity]
        : [command === COMMANDS.stop ? DONE : UNKNOWN, new Uint8Array(0)];
    on.clock.after(ANSWER_MS, () => on.send(answerFrame(command, status, data)));
  };
  return {
    receive: (bytes) => {
      const cut = cutFrames(pending, bytes);
      pending = cut.pending;
      for (const body of cut.frames) answer(body);
    },
    connected: forget,
    disconnected: forget,
    powerOn: forget,
  };
}

/** A New Model as PROTOCOL.md describes it, from the device's side. */
export const newModelSimulator: SimulatorModel = {
  id: "new-model",
  driver: "new-model",
  title: "New Model",
  deviceType: "NEW_MODEL",
  evidence: { confirmed: [], inferred: ["all of it"] },
  capabilities: familyCapabilities,
  serialNumber: {
    usual: "10000496",
    pattern: /^[0-9A-Z-]{4,20}$/,
    form: "four to twenty digits, capital letters or dashes",
  },
  create: (on) => simulatedTerminal(on, device, newModelSimulator),
};
