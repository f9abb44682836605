import { expect, it } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import { verifoneP400 } from "../../../drivers/verifone-p400/driver.ts";
import { terminalSessions } from "../../../src/agent/terminals.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import type { DriverModel } from "../../../src/terminal/driver.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { SMALLEST, surroundings } from "../config/surroundings.ts";

/** What the start says of the one terminal of a shop. */
function toldAtStart(model: DriverModel): readonly (readonly [object, string])[] {
  const told: [object, string][] = [];
  const say = (fields: object, message: string): void => void told.push([fields, message]);
  const around = { ...surroundings(), models: [{ ...model, optionsProblem: () => undefined }] };
  const reading = parseConfiguration(SMALLEST.replace("miura-m020", model.id), "/etc/posbridge/posbridge.yaml", around);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  terminalSessions(reading.configuration, [model], {
    clock: createVirtualClock(0),
    random: seededRandom(1),
    log: { debug: say, info: say, warn: say, error: say },
    known: { serialNumber: () => undefined, usb: () => undefined, remember: () => [], forget: () => undefined },
    localTime: () => ({ date: "260115", time: "101500" }),
    metrics: { linkOpened: () => undefined, linkLost: () => undefined, frameFailed: () => undefined },
    traces: new Map(),
  });
  return told;
}

it("the start says what the shop has to ask its acquirer, and nothing where there is nothing to ask", () => {
  expect(toldAtStart(verifoneP400)).toEqual([
    [
      {
        terminal: "till-1",
        question: expect.stringMatching(/^ask the acquirer whether it decrypts pos\.encryptedSred\.data/),
      },
      "to be settled with the acquirer",
    ],
  ]);
  expect(toldAtStart(miuraM020)).toEqual([]);
});
