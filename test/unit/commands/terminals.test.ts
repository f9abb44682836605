import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import { terminalsCommand } from "../../../src/commands/terminals.ts";
import { CABLE, fakeSystem, PED, READER } from "../transport/fake-system.ts";
import { recordedOutput } from "./recorded-output.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

async function scan(on: Parameters<typeof fakeSystem>[0], ...options: readonly string[]): Promise<string> {
  const root = fakeSystem(on);
  roots.push(root);
  const output = recordedOutput();
  await terminalsCommand(output, driverModels, { platform: "linux", root, ports: async () => [] }).parseAsync(
    ["scan", ...options],
    { from: "user" },
  );
  return output.stdout.join("\n").replaceAll(root, "");
}

describe("terminals scan", () => {
  it("says which model each device probably is, why, and how it is configured", async () => {
    const text = await scan({ usb: [PED, READER] });
    expect(text).toContain("/dev/serial/by-id/usb-10000001-if00 2dda:0515 Miura Systems M020 serial number 10000001");
    expect(text).toContain('  miura-m020 (Miura M020): miura-m020 has 95 of 100: vendor id 2dda, product "M020"');
    expect(text).toMatch(/ {4}score {2}95 {2}miura-m020: vendor id 2dda, product "M020"; source: SDK17/);
    expect(text).toContain(
      '- { id: till-1, model: miura-m020, connection: { serial: /dev/serial/by-id/usb-10000001-if00 }, terminalId: "..." }',
    );
    expect(text).toContain(
      'model: idtech-vp3300, connection: { usb: { vendorId: 0x0acd, productId: 0x3530, serialNumber: "630Z000001" } }',
    );
  });

  it("names no model for a cable that may have anything behind it", async () => {
    const text = await scan({ usb: [CABLE] });
    expect(text).toContain("/dev/ttyUSB0 0403:6001 FT232R\n  no model is named: no model's ids or texts are these");
  });

  it("says that nothing is plugged in, and what could not be looked at", async () => {
    expect(await scan({ noBus: true })).toMatch(
      /^nothing is plugged in that could be a terminal\nnote: this machine has no USB/,
    );
  });

  it("tells a device that this user may not open, with the mend", async () => {
    const text = await scan({ usb: [READER], noNodes: true });
    expect(text).toMatch(/no permission for \/dev\/bus\/usb\/001\/002: install config\/udev\/60-posbridge\.rules/);
  });

  it("says the same as JSON", async () => {
    const read: unknown = JSON.parse(await scan({ usb: [PED] }, "--json"));
    expect(read).toMatchObject({
      devices: [
        {
          ...{
            kind: "serial",
            path: "/dev/ttyACM0",
            stablePaths: ["/dev/serial/by-id/usb-10000001-if00"],
            permitted: true,
            model: "miura-m020",
          },
          usb: { vendorId: "0x2dda", productId: "0x0515", serialNumber: "10000001" },
          candidates: [{ model: "miura-m020", score: 95 }],
        },
      ],
      notes: [],
    });
  });
});
