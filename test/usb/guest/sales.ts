import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { nothingBooked, soldFor } from "../../scenarios/ledger.ts";
import { type Check, until } from "./check.ts";
import type { Gadget } from "./gadget.ts";
import { createPed, createVp3300 } from "./peds.ts";
import {
  openShop,
  type Selling,
  type Shop,
  type Simulated,
  sell,
  sellTapped,
  simulate,
  untilCard,
  untilPin,
} from "./shop.ts";

/* One bridge with two terminals: a serial one on USB (till-1), and one that speaks HID (till-2). */

const SERIALS = { ped: "10000001", stranger: "10000002", reader: "630Z000001" };
const ped = createPed("ped", SERIALS.ped);
const stranger = createPed("stranger", SERIALS.stranger);
const reader = createVp3300("vp3300", SERIALS.reader);
/** In which port each is; the third is left for what comes and goes. */
const PORTS = { ped: 0, reader: 1, free: 2 };
let shop: Shop;
let pedDevice: Simulated;
let readerDevice: Simulated;

const atPed = (reference: string): Selling => ({ shop, terminal: "till-1", device: pedDevice, reference });
const atReader = (reference: string): Selling => ({ shop, terminal: "till-2", device: readerDevice, reference });
const isThere = (path: string): Promise<unknown> => until(path, () => (existsSync(path) ? true : undefined));
const isGone = (path: string): Promise<unknown> => until(`end of ${path}`, () => (existsSync(path) ? undefined : true));

async function plugged(gadget: Gadget, port: number): Promise<string> {
  gadget.plug(port);
  await until(gadget.file(), () => (existsSync(gadget.file()) ? true : undefined));
  return gadget.file();
}

/** Pulls the cable in the middle of a sale: it is told as lost, and nothing is booked. */
async function lostIn({ reference, terminal, device }: Selling): Promise<void> {
  await device.fault("unplug");
  const { outcome, reason } = await shop.till.settled(reference, 40_000);
  assert.deepEqual([outcome, reason?.code], ["FAILED", "terminal-lost"]);
  assert.deepEqual(await shop.booksOf(reference), nothingBooked);
  assert.equal((await shop.state(terminal)).state, "offline");
}

export const saleChecks: readonly Check[] = [
  {
    name: "a CDC-ACM terminal sells with chip and PIN through serialport",
    limitMs: 150_000,
    run: async () => {
      const files = [await plugged(ped, PORTS.ped), await plugged(reader, PORTS.reader)] as const;
      await isThere("/dev/ttyACM0");
      const devices = Promise.all([
        simulate("miura-m020", files[0], SERIALS.ped, 1),
        simulate("idtech-vp3300", files[1], SERIALS.reader, 2),
      ]);
      const hid = `{ usb: { vendorId: 0x0acd, productId: 0x3530, serialNumber: "${SERIALS.reader}" } }`;
      shop = await openShop([
        { id: "till-1", model: "miura-m020", connection: "{ serial: /dev/ttyACM0 }", deviceType: "MIURA_M020" },
        { id: "till-2", model: "idtech-vp3300", connection: hid, deviceType: "IDTECH_VP3300" },
      ]);
      [pedDevice, readerDevice] = await devices;
      await shop.ready("till-1");
      assert.equal(await sell(atPed("serial 1")), "APPROVED");
      assert.deepEqual(await shop.booksOf("serial 1"), soldFor("12.34"));
    },
  },
  {
    name: "a HID terminal sells with a tapped card through usb",
    limitMs: 120_000,
    run: async () => {
      await shop.ready("till-2");
      assert.equal(await sellTapped(atReader("hid 1")), "APPROVED");
      assert.deepEqual(await shop.booksOf("hid 1"), soldFor("12.34"));
    },
  },
  {
    name: "a CDC-ACM terminal that is unplugged during a sale is told as lost with nothing booked, and sells again on another port",
    limitMs: 120_000,
    run: async () => {
      await untilPin(atPed("serial 2"));
      await lostIn(atPed("serial 2"));
      await pedDevice.pull();
      ped.plug(PORTS.free);
      await pedDevice.fault("plug");
      await shop.ready("till-1");
      assert.equal(await sell(atPed("serial 3")), "APPROVED");
    },
  },
  {
    name: "a HID terminal that is unplugged during a sale is told as lost with nothing booked, and sells again on another port",
    limitMs: 120_000,
    run: async () => {
      await untilCard(atReader("hid 2"));
      await lostIn(atReader("hid 2"));
      reader.plug(PORTS.ped);
      await readerDevice.fault("plug");
      await shop.ready("till-2");
      assert.equal(await sellTapped(atReader("hid 3")), "APPROVED");
      assert.deepEqual(await shop.booksOf("hid 3"), soldFor("12.34"));
    },
  },
  {
    name: "a different device at a terminal's port is refused unopened, and the terminal is followed to ttyACM1",
    limitMs: 120_000,
    run: async () => {
      await pedDevice.fault("unplug");
      await isGone("/dev/ttyACM0");
      stranger.plug(PORTS.free);
      await isThere("/dev/ttyACM0");
      const refused = await until("refusal", async () => {
        const { state, reason } = await shop.state("till-1");
        return reason?.startsWith("another device is at") ? `${state}: ${reason}` : undefined;
      });
      const told =
        "USB 2dda:0515 10000002 instead of USB 2dda:0515 10000001; plug in the right one, or take this one in its place: posbridge terminals replace";
      assert.equal(refused, `offline: another device is at /dev/ttyACM0: ${told}`);
      ped.plug(PORTS.reader);
      await pedDevice.fault("plug");
      const since = performance.now();
      await shop.ready("till-1");
      assert.ok(performance.now() - since < 15_000, `found after ${Math.round(performance.now() - since)} ms`);
      assert.ok(existsSync("/dev/ttyACM1"));
      assert.equal(await sell(atPed("serial 4")), "APPROVED");
      assert.deepEqual(await shop.booksOf("serial 4"), soldFor("12.34"));
    },
  },
  {
    name: "a bridge that is stopped gives the HID interface back to the kernel's driver",
    limitMs: 60_000,
    run: async () => {
      await shop.stopBridge();
      await isThere("/dev/hidraw0");
    },
  },
  {
    name: "a bridge that is started again follows its terminal and takes the interface anew",
    limitMs: 120_000,
    run: async () => {
      await shop.startBridge();
      await shop.ready("till-1");
      await shop.ready("till-2");
      assert.equal(await sell(atPed("serial 5")), "APPROVED");
      assert.ok(!existsSync("/dev/hidraw0"));
    },
  },
];
