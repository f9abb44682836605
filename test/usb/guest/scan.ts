import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { z } from "zod";
import { type Check, until } from "./check.ts";
import { createGadget } from "./gadget.ts";
import { createPed, createVp3300 } from "./peds.ts";
import { output } from "./process.ts";

const scanSchema = z.object({
  devices: z.array(
    z.object({
      name: z.string(),
      model: z.string().optional(),
      why: z.string(),
      connection: z.string(),
      permitted: z.boolean(),
    }),
  ),
  notes: z.array(z.string()),
});

export const scanChecks: readonly Check[] = [
  {
    name: "terminals scan names the models on the bus, explains why, and names none for a gadget that may be anybody's",
    limitMs: 60_000,
    run: async () => {
      const [ped, vp3300] = [createPed("scanned-ped", "10000009"), createVp3300("scanned-reader", "630Z000009")];
      const anybody = createGadget({
        name: "anybody",
        vendorId: 0x0525,
        productId: 0xa4a7,
        manufacturer: "Linux",
        product: "Gadget Serial",
        function: { is: "acm" },
      });
      ped.plug(0);
      await until("/dev/ttyACM0", () => (existsSync("/dev/ttyACM0") ? true : undefined));
      vp3300.plug(1);
      anybody.plug(2);
      await until("all three", () => (existsSync("/dev/ttyACM1") && existsSync("/dev/hidraw0") ? true : undefined));
      const { devices, notes } = scanSchema.parse(JSON.parse((await output("terminals", "scan", "--json")).join("\n")));
      assert.deepEqual(
        devices
          .filter(({ name }) => !name.startsWith("/dev/ttyS"))
          .map(({ name, model, connection }) => [name, model, connection]),
        [
          [
            "/dev/ttyACM0 2dda:0515 Miura Systems M020 serial number 10000009",
            "miura-m020",
            "{ serial: /dev/ttyACM0 }",
          ],
          ["/dev/ttyACM1 0525:a4a7 Linux Gadget Serial", undefined, "{ serial: /dev/ttyACM1 }"],
          [
            "USB 0acd:3530 ID TECH VP3300 serial number 630Z000009",
            "idtech-vp3300",
            '{ usb: { vendorId: 0x0acd, productId: 0x3530, serialNumber: "630Z000009" } }',
          ],
        ],
      );
      assert.ok(devices.every(({ permitted }) => permitted));
      assert.match(notes.join(" "), /udevadm is not installed.*install udev/);
      assert.deepEqual(
        devices.filter(({ name }) => name.includes("ACM")).map(({ why }) => why.replace(/:.*/, "")),
        ["miura-m020 has 95 of 100", "miura-m020 has 20 of 100, and 60 are needed"],
      );
      for (const gadget of [ped, vp3300, anybody]) gadget.remove();
    },
  },
];
