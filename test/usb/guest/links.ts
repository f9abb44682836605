import assert from "node:assert/strict";
import { existsSync, readlinkSync } from "node:fs";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { type GadgetKind, openGadgetFile } from "../../../src/simulator/gadget-file.ts";
import { type Link, LinkError } from "../../../src/terminal/link.ts";
import { openUsb } from "../../../src/transport/usb.ts";
import type { UsbWay } from "../../../src/transport/usb-claim.ts";
import { type Check, pause, until } from "./check.ts";
import { createGadget, type Gadget } from "./gadget.ts";
import { createPed, createVp3300, VP3300 } from "./peds.ts";
import { startNode } from "./process.ts";

const HID: UsbWay = { how: "hid", reportBytes: 64, numbered: true };
const reader = createVp3300("reader", "630Z000001");

/** Plays a device that says again whatever it hears, as long as `run` takes. */
async function echoing(gadget: Gadget, kind: GadgetKind, run: () => Promise<void>): Promise<void> {
  const path = await until(gadget.file(), () => (existsSync(gadget.file()) ? gadget.file() : undefined));
  const events = { bytes: (bytes: Uint8Array) => file.write(bytes), hangUp: () => undefined };
  const file = openGadgetFile(path, kind, { clock: systemClock, events });
  await run().finally(file.close);
}

/** What comes over a link, with what ended it. */
function listen(link: Link): { readonly chunks: Uint8Array[]; readonly over: Promise<unknown> } {
  const chunks: Uint8Array[] = [];
  const read = async (): Promise<unknown> => {
    for await (const chunk of link.incoming) chunks.push(chunk);
    return "ended";
  };
  return { chunks, over: read().catch((error: unknown) => error) };
}

function report(id: number, fill: number): Uint8Array {
  return Uint8Array.from({ length: 64 }, (_, at) => (at === 0 ? id : fill));
}

const open = (): Promise<Link> => openUsb(VP3300, HID, { clock: systemClock });
const kernelDriver = (): string | undefined =>
  existsSync("/sys/bus/usb/devices/1-1:1.0/driver")
    ? readlinkSync("/sys/bus/usb/devices/1-1:1.0/driver").split("/").at(-1)
    : undefined;

async function refusal(opening: Promise<Link>): Promise<LinkError> {
  const error = await opening.then(
    (link) => link.close().then(() => undefined),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof LinkError, `refused with a LinkError: ${String(error)}`);
  return error;
}

export const linkChecks: readonly Check[] = [
  {
    name: "a HID device that is not there is told with what is seen instead",
    limitMs: 20_000,
    run: async () => {
      const { code, message } = await refusal(open());
      assert.equal(code, "not-found");
      assert.match(message, /0acd:3530.*Seen: nothing/);
    },
  },
  {
    name: "reports go both ways one by one, taken from the kernel's driver and given back to it",
    limitMs: 20_000,
    run: async () => {
      reader.plug(0);
      await until("kernel driver", () => (kernelDriver() === "usbhid" ? true : undefined));
      await echoing(reader, "hid", async () => {
        const link = await open();
        const heard = listen(link);
        assert.equal(kernelDriver(), "usbfs");
        await link.write(report(1, 0x56));
        await link.write(Buffer.concat([report(2, 7), report(3, 8), report(4, 9)]));
        await until("four reports", () => (heard.chunks.length === 4 ? true : undefined));
        assert.deepEqual(
          heard.chunks.map(([id, fill]) => [id, fill]),
          [
            [1, 0x56],
            [2, 7],
            [3, 8],
            [4, 9],
          ],
        );
        assert.ok(heard.chunks.every(({ length }) => length === 64));
        const half = await link.write(new Uint8Array(63)).catch((error: unknown) => error);
        assert.match(String(half), /whole reports of 64 bytes, not 63/);
        await link.close();
        assert.equal(await heard.over, "ended");
        assert.equal(kernelDriver(), "usbhid");
      });
    },
  },
  {
    name: "a device that is silent is waited for, and a link that waits can be closed at once",
    limitMs: 20_000,
    run: async () => {
      const link = await open();
      const heard = listen(link);
      await pause(2_500);
      const started = performance.now();
      await link.close();
      assert.ok(performance.now() - started < 1_000, `closed after ${performance.now() - started} ms`);
      assert.equal(await heard.over, "ended");
      assert.deepEqual(heard.chunks, []);
    },
  },
  {
    name: "a device that another link, or another program, holds is busy and stays theirs",
    limitMs: 30_000,
    run: async () => {
      await echoing(reader, "hid", async () => {
        const link = await open();
        const heard = listen(link);
        assert.equal((await refusal(open())).code, "busy");
        await link.write(report(1, 1));
        await until("the first link's report", () => heard.chunks[0]);
        await link.close();
      });
    },
  },
  {
    name: "what a killed program had claimed can be claimed again, and goes back to the kernel's driver",
    limitMs: 40_000,
    run: async () => {
      const other = startNode("/app/claim.cjs");
      await other.line(/^claimed/);
      assert.equal((await refusal(open())).code, "busy");
      await other.kill("SIGKILL");
      assert.equal(kernelDriver(), undefined);
      const link = await open();
      await link.close();
      assert.equal(kernelDriver(), "usbhid");
    },
  },
  {
    name: "without permission the file and the udev rules are named",
    limitMs: 40_000,
    run: async () => {
      const asNobody = startNode("open-as-nobody.cjs");
      const said = await asNobody.line(/USB device/);
      assert.match(
        said,
        /no-permission no permission for USB device 0acd:3530 \(\/dev\/bus\/usb\/001\/[0-9]+\); install config\/udev\/60-posbridge\.rules, add this user to the group dialout/,
      );
      await asNobody.ended;
    },
  },
  {
    name: "an unplugged device ends reading and writing, and is found on another port",
    limitMs: 30_000,
    run: async () => {
      const link = await open();
      const heard = listen(link);
      reader.unplug();
      const over = await heard.over;
      assert.ok(over instanceof LinkError && over.code === "lost", String(over));
      assert.match(over.message, /was unplugged or switched off/);
      assert.match(String(await link.write(report(1, 1)).catch((error: unknown) => error)), /unplugged/);
      await link.close();
      assert.equal((await refusal(open())).code, "not-found");
      reader.plug(1);
      const again = await until("device on the other port", () => open().catch(() => undefined));
      await again.close();
    },
  },
  {
    name: "two of one make are told apart by their serial numbers alone",
    limitMs: 30_000,
    run: async () => {
      const second = createVp3300("second", "630Z000002");
      second.plug(2);
      const both = await until("two devices", async () => {
        const error = await refusal(open()).catch(() => undefined);
        return error?.code === "failed" ? error : undefined;
      });
      assert.match(
        both.message,
        /2 devices are USB device 0acd:3530: .*630Z000001.*630Z000002; write one's serialNumber into connection\.usb/,
      );
      await echoing(second, "hid", async () => {
        const link = await openUsb({ ...VP3300, serialNumber: "630Z000002" }, HID, { clock: systemClock });
        const heard = listen(link);
        await link.write(report(1, 2));
        await until("its report", () => heard.chunks[0]);
        await link.close();
      });
      assert.match(
        (await refusal(openUsb({ ...VP3300, serialNumber: "630Z000003" }, HID, { clock: systemClock }))).message,
        /Seen: 0acd:3530 VP3300 630Z000001, 0acd:3530 VP3300 630Z000002/,
      );
      second.remove();
      reader.remove();
    },
  },
  {
    name: "a HID device without an OUT endpoint gets its reports by SET_REPORT, and reports of 32 bytes stay 32",
    limitMs: 30_000,
    run: async () => {
      const ids = { vendorId: 0x0b00, productId: 0x0074 };
      const how = { is: "hid", reportBytes: 32, reportIds: [1, 2], outEndpoint: false } as const;
      const ipp = createGadget({ name: "ipp", ...ids, manufacturer: "Ingenico", product: "iSC250", function: how });
      ipp.plug(0);
      await echoing(ipp, "hid", async () => {
        const way = { how: "hid", reportBytes: 32, numbered: true } as const;
        const link = await until("iSC250", () => openUsb(ids, way, { clock: systemClock }).catch(() => undefined));
        const heard = listen(link);
        const sent = Uint8Array.from({ length: 32 }, (_, at) => at + 2);
        await link.write(sent);
        assert.deepEqual(Uint8Array.from(await until("its report", () => heard.chunks[0])), sent);
        await link.close();
      });
      ipp.remove();
    },
  },
  {
    name: "bulk endpoints carry a stream both ways, 20 000 bytes unchanged",
    limitMs: 40_000,
    run: async () => {
      const ids = { vendorId: 0x2dda, productId: 0x0001 };
      const stream = createGadget({
        name: "stream",
        ...ids,
        manufacturer: "Miura",
        product: "stream",
        function: { is: "gser" },
      });
      stream.plug(0);
      const link = await until("stream", () =>
        openUsb(ids, { how: "bulk" }, { clock: systemClock }).catch(() => undefined),
      );
      const heard = listen(link);
      await echoing(stream, "serial", async () => {
        const sent = Uint8Array.from({ length: 20_000 }, (_, at) => (at * 7) % 251);
        for (let at = 0; at < sent.length; at += 1_000) await link.write(sent.subarray(at, at + 1_000));
        const all = (): Buffer => Buffer.concat(heard.chunks);
        await until("all bytes", () => (all().length >= sent.length ? true : undefined), 20_000);
        assert.ok(all().equals(sent));
      });
      await link.close();
      stream.remove();
    },
  },
  {
    name: "a CDC-ACM device that was opened by its bulk endpoints is a serial port again afterwards",
    limitMs: 30_000,
    run: async () => {
      const ped = createPed("bulk-ped", "10000008");
      ped.plug(0);
      await until("/dev/ttyACM0", () => (existsSync("/dev/ttyACM0") ? true : undefined));
      await echoing(ped, "serial", async () => {
        const link = await openUsb({ vendorId: 0x2dda, productId: 0x0515 }, { how: "bulk" }, { clock: systemClock });
        const heard = listen(link);
        assert.ok(!existsSync("/dev/ttyACM0"));
        await link.write(Buffer.from("as the maker's own application does"));
        await until("its echo", () => (Buffer.concat(heard.chunks).length === 35 ? true : undefined));
        await link.close();
      });
      await until("/dev/ttyACM0 again", () => (existsSync("/dev/ttyACM0") ? true : undefined));
      ped.remove();
    },
  },
];
