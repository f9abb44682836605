import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { type Link, LinkError } from "../../../src/terminal/link.ts";
import { openUsb } from "../../../src/transport/usb.ts";
import type { UsbWay } from "../../../src/transport/usb-claim.ts";
import type { UsbBus } from "../../../src/transport/usb-handle.ts";
import { HID_ENDPOINTS, usbBench } from "./usb-bench.ts";

const ADDRESS = { vendorId: 0x0acd, productId: 0x3530 };
const HID: UsbWay = { how: "hid", reportBytes: 64, numbered: true };
const report = (id: number): Uint8Array => Uint8Array.from({ length: 64 }, (_, at) => (at === 0 ? id : 0));
const open = (bus: UsbBus, way: UsbWay = HID, serialNumber?: string): Promise<Link> =>
  openUsb({ ...ADDRESS, ...(serialNumber !== undefined && { serialNumber }) }, way, { clock: systemClock, bus });

async function next(link: Link): Promise<Uint8Array | undefined> {
  const { value } = await link.incoming[Symbol.asyncIterator]().next();
  return value;
}

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => "not refused",
    (cause: unknown) => cause,
  );
  return error instanceof LinkError ? `${error.code}: ${error.message}` : String(error);
};

describe("a HID link", () => {
  it("carries one report a chunk, and as many whole reports as are written, in their order", async () => {
    const bench = usbBench();
    const device = bench.plug();
    const link = await open(bench.bus);
    device.says(report(1));
    device.says(report(2));
    expect(await next(link)).toEqual(report(1));
    expect(await next(link)).toEqual(report(2));
    await Promise.all([link.write(report(3)), link.write(Uint8Array.from([...report(4), ...report(5)]))]);
    expect(device.asked.filter((call) => call.startsWith("out")).map((call) => call.slice(0, 8))).toEqual([
      "out 2 03",
      "out 2 04",
      "out 2 05",
    ]);
    await link.close();
  });

  it.each([0, 1, 63, 65])("refuses a write of %i bytes", async (length) => {
    const bench = usbBench();
    bench.plug();
    const link = await open(bench.bus);
    expect(await refusal(link.write(new Uint8Array(length)))).toBe(
      `failed: USB device 0acd:3530 takes whole reports of 64 bytes, not ${length} bytes`,
    );
    await link.close();
  });

  it("puts a report together that is longer than a packet, however many packets it takes", async () => {
    const bench = usbBench();
    const device = bench.plug({
      endpoints: [{ endpointNumber: 1, direction: "in", type: "interrupt", packetSize: 8 }],
    });
    const link = await open(bench.bus, { how: "hid", reportBytes: 20, numbered: false });
    const bytes = Uint8Array.from({ length: 20 }, (_, at) => at);
    for (const at of [0, 8, 16]) device.says(bytes.subarray(at, at + 8));
    expect(await next(link)).toEqual(bytes);
    await link.close();
  });

  it.each([
    [true, "control 9 203 0 03"],
    [false, "control 9 200 0 03"],
  ])("sends by SET_REPORT where there is no OUT endpoint, numbered: %s", async (numbered, asked) => {
    const bench = usbBench();
    const device = bench.plug({ endpoints: HID_ENDPOINTS.slice(0, 1) });
    const link = await open(bench.bus, { how: "hid", reportBytes: 2, numbered });
    await link.write(Uint8Array.of(3, 9));
    expect(device.asked).toContain(`${asked}09`);
    await link.close();
  });
});

describe("commands as feature reports", () => {
  const FEATURE: UsbWay = { how: "hid", reportBytes: 4, numbered: true, commands: "feature" };

  it("are set and answered one by one, and the answer is a chunk like any other", async () => {
    const bench = usbBench();
    const device = bench.plug();
    device.answers(Uint8Array.of(1, 0, 0, 0));
    device.answers(Uint8Array.of(1, 10, 0, 0));
    const link = await open(bench.bus, FEATURE);
    await link.write(Uint8Array.of(1, 9, 0, 0, 1, 73, 0, 0));
    expect(device.asked.filter((call) => call.startsWith("control"))).toEqual([
      "control 9 301 0 01090000",
      "control-in 1 301 0 4",
      "control 9 301 0 01490000",
      "control-in 1 301 0 4",
    ]);
    expect([await next(link), await next(link)]).toEqual([Uint8Array.of(1, 0, 0, 0), Uint8Array.of(1, 10, 0, 0)]);
    device.says(Uint8Array.of(2, 5));
    expect(await next(link)).toEqual(Uint8Array.of(2, 5));
    await link.close();
  });

  it("fail the write where the device does not answer", async () => {
    const bench = usbBench();
    const device = bench.plug();
    device.refuses("control-in", "controlTransferIn error: stall");
    const link = await open(bench.bus, FEATURE);
    expect(await refusal(link.write(Uint8Array.of(1, 9, 0, 0)))).toContain("controlTransferIn error: stall");
    await link.close();
  });
});

describe("the kernel's driver", () => {
  it("is detached before the claim and gets the interface back before the close, after the read has ended", async () => {
    const bench = usbBench();
    bench.driver = "usbhid";
    const device = bench.plug();
    const link = await open(bench.bus);
    expect(device.asked).toEqual(["open", "detach 0", "claim 0"]);
    await link.close();
    await link.close();
    expect(device.asked.slice(3)).toEqual(["detach 0", "release 0", "attach 0", "close"]);
  });

  it("is given back where the claim fails", async () => {
    const bench = usbBench();
    bench.driver = "usbhid";
    const device = bench.plug();
    device.refuses("claim", "claimInterface error: something odd");
    expect(await refusal(open(bench.bus))).toBe("failed: USB device 0acd:3530: claimInterface error: something odd");
    expect(device.asked).toEqual(["open", "detach 0", "claim 0", "attach 0", "close"]);
  });

  it("of a driver that has several interfaces is offered all of them where the claim fails: it takes them by the first", async () => {
    const bench = usbBench();
    bench.driver = "cdc_acm";
    const device = bench.plug({ before: 1 });
    device.refuses("claim", "claimInterface error: something odd");
    expect(await refusal(open(bench.bus))).toMatch(/^failed: /);
    expect(device.asked).toEqual(["open", "detach 1", "claim 1", "attach 0", "attach 1", "close"]);
  });

  it("that is another program is left alone", async () => {
    const bench = usbBench();
    bench.driver = "usbfs";
    const device = bench.plug();
    expect(await refusal(open(bench.bus))).toMatch(/^busy: .*used by another program/);
    expect(device.asked).toEqual(["open", "close"]);
  });

  it("keeps keyboards: a boot interface is not taken", async () => {
    const bench = usbBench();
    const device = bench.plug({ interfaceSubclass: 1 });
    expect(await refusal(open(bench.bus))).toMatch(/^failed: .*has no HID interface/);
    expect(device.asked).toEqual(["open", "close"]);
  });
});

describe("a link that breaks", () => {
  it("says unplugged to the reader and to every write, and gives the device back", async () => {
    const bench = usbBench();
    const device = bench.plug();
    const link = await open(bench.bus);
    const reading = refusal(next(link));
    device.unplug();
    expect(await reading).toBe("lost: USB device 0acd:3530 was unplugged or switched off");
    expect(await refusal(link.write(report(1)))).toMatch(/^lost: /);
    await link.close();
    expect(device.asked.at(-1)).toBe("close");
  });

  it("says that another program took it where the device is still there and its read was cancelled all the same", async () => {
    const bench = usbBench();
    const device = bench.plug();
    const link = await open(bench.bus);
    const reading = refusal(next(link));
    await device.handle.detachKernelDriver(0);
    expect(await reading).toMatch(/^busy: /);
    await link.close();
  });

  it("reads on after a read that only took its time, where reads are short", async () => {
    const bench = usbBench();
    bench.bus.readMs = 250;
    const device = bench.plug();
    const link = await open(bench.bus);
    await device.handle.detachKernelDriver(0);
    device.says(report(6));
    expect(await next(link)).toEqual(report(6));
    await link.close();
  });

  it("does not go in circles with a device that answers every read with a stall", async () => {
    const bench = usbBench();
    const device = bench.plug();
    let reads = 0;
    device.handle.transferIn = async () => {
      reads += 1;
      return { status: "stall" };
    };
    const link = await open(bench.bus);
    expect(await refusal(next(link))).toBe(
      "failed: USB device 0acd:3530 answers every read with an error (stall); unplug it and plug it in again",
    );
    expect(reads).toBe(16);
    expect(device.asked.filter((what) => what === "clear 0" || what === "clear")).toHaveLength(16);
    await link.close();
    expect(device.asked.at(-1)).toBe("close");
  });

  it("tells a device that takes nothing", async () => {
    const bench = usbBench();
    const device = bench.plug();
    device.refuses("out", "transferOut error: Cancelled");
    const link = await open(bench.bus);
    expect(await refusal(link.write(report(1)))).toBe(
      "failed: USB device 0acd:3530 does not take what is sent; is it switched on?",
    );
    await link.close();
  });
});

describe("a device that cannot be opened", () => {
  it.each([
    [
      "open error: permission denied (errno 13)",
      /^no-permission: no permission for USB device 0acd:3530 \(\/dev\/bus\/usb\/001\/007\); install config\/udev\/60-posbridge\.rules, add this user to the group dialout/,
    ],
    ["open error: no such device (errno 19)", /^lost: .*unplugged/],
    ["open error: interface busy (errno 16)", /^busy: /],
    ["open error: odd", /^failed: USB device 0acd:3530: open error: odd$/],
  ])("%s", async (words, told) => {
    const bench = usbBench();
    bench.plug().refuses("open", words);
    expect(await refusal(open(bench.bus))).toMatch(told);
  });

  it("that is not there is told with what is", async () => {
    const bench = usbBench();
    expect(await refusal(open(bench.bus))).toBe(
      "not-found: no USB device 0acd:3530; is it plugged in and switched on? Seen: nothing",
    );
    bench.plug({ serialNumber: "A" });
    expect(await refusal(open(bench.bus, HID, "B"))).toMatch(
      /^not-found: no USB device 0acd:3530 B; .*Seen: 0acd:3530 Bench A$/,
    );
  });

  it("of which there are two needs its serial number", async () => {
    const bench = usbBench();
    bench.plug({ serialNumber: "A" });
    const second = bench.plug({ serialNumber: "B", address: 8 });
    expect(await refusal(open(bench.bus))).toMatch(
      /^failed: 2 devices are USB device 0acd:3530: .* A, .* B; write one's serialNumber into connection\.usb$/,
    );
    const link = await open(bench.bus, HID, "B");
    expect(second.asked).toContain("claim 0");
    await link.close();
  });
});

describe("a bulk link", () => {
  const endpoints = HID_ENDPOINTS.map((one) => ({ ...one, type: "bulk" as const, packetSize: 512 }));

  it("carries a stream: every length out, whatever comes in", async () => {
    const bench = usbBench();
    const device = bench.plug({ endpoints, interfaceClass: 0xff });
    const link = await open(bench.bus, { how: "bulk" });
    device.says(Uint8Array.of(1, 2, 3));
    expect(await next(link)).toEqual(Uint8Array.of(1, 2, 3));
    await link.write(Uint8Array.of(9));
    expect(device.asked).toContain("out 2 09");
    await link.close();
  });
});

describe("a device that does not let go", () => {
  it("is not waited for without end, and a package that throws on the way out harms nobody", async () => {
    const bench = usbBench();
    const device = bench.plug();
    let now = 0;
    const clock = {
      ...systemClock,
      after: (delayMs: number, run: () => void) => {
        now += delayMs;
        const timer = setImmediate(run);
        return () => clearImmediate(timer);
      },
    };
    const link = await openUsb(ADDRESS, HID, { clock, bus: bench.bus });
    device.refuses("detach", "detachKernelDriver error: unsupported");
    await link.close();
    expect(now).toBe(2_000);
    expect(device.asked.filter((call) => call === "detach 0")).toHaveLength(100);
    expect(device.asked).not.toContain("release 0");
  });
});
