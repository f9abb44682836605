import { mkdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a gadget is on the bus: one function, a terminal's. */
export type GadgetFunction =
  | {
      readonly is: "hid";
      readonly reportBytes: number;
      readonly reportIds: readonly number[];
      readonly outEndpoint: boolean;
    }
  /** A CDC-ACM serial device, or with "gser" one of a vendor's own class with the same two bulk endpoints. */
  | { readonly is: "acm" | "gser" };

export interface GadgetOptions {
  readonly name: string;
  readonly vendorId: number;
  readonly productId: number;
  readonly manufacturer: string;
  readonly product: string;
  readonly serialNumber?: string;
  readonly function: GadgetFunction;
}

/** A device that the kernel plays on a USB bus of its own (Documentation/usb/gadget_configfs.rst). */
export interface Gadget {
  /** The device's side, once it was plugged in: what its firmware reads and writes. */
  file(): string;
  /** Plugs it in: each port (0, 1, 2) is a host controller of its own. */
  plug(port: number): void;
  unplug(): void;
  /** Unplugs it for good: the kernel has room for four HID gadgets. */
  remove(): void;
}

const CONFIGFS = "/sys/kernel/config/usb_gadget";
const ENGLISH = "strings/0x409";
/** The kernel gives each HID gadget the next minor number. */
const MINOR = /:([0-9]+)$/;

export function createGadget(on: GadgetOptions): Gadget {
  const folder = join(CONFIGFS, on.name);
  const functionFolder = join(folder, "functions", `${on.function.is}.${on.name}`);
  const set = (name: string, value: string | Uint8Array): void => writeFileSync(join(folder, name), value);
  for (const made of [join(folder, ENGLISH), join(folder, "configs/c.1", ENGLISH), functionFolder])
    mkdirSync(made, { recursive: true });
  set("idVendor", `0x${on.vendorId.toString(16)}`);
  set("idProduct", `0x${on.productId.toString(16)}`);
  set(`${ENGLISH}/manufacturer`, on.manufacturer);
  set(`${ENGLISH}/product`, on.product);
  if (on.serialNumber !== undefined) set(`${ENGLISH}/serialnumber`, on.serialNumber);
  if (on.function.is === "hid") writeHid(functionFolder, on.function);
  symlinkSync(functionFolder, join(folder, "configs/c.1", on.name));
  return {
    file: () => fileOf(functionFolder, on.function),
    plug: (port) => set("UDC", `dummy_udc.${port}`),
    unplug: () => set("UDC", "\n"),
    remove: () => {
      set("UDC", "\n");
      rmSync(join(folder, "configs/c.1", on.name));
      for (const made of [
        join(folder, "configs/c.1", ENGLISH),
        join(folder, "configs/c.1"),
        functionFolder,
        join(folder, ENGLISH),
        folder,
      ])
        rmdirSync(made);
    },
  };
}

function writeHid(
  folder: string,
  { reportBytes, reportIds, outEndpoint }: Extract<GadgetFunction, { is: "hid" }>,
): void {
  writeFileSync(join(folder, "report_length"), String(reportBytes));
  writeFileSync(join(folder, "report_desc"), reportDescriptor(reportBytes, reportIds));
  writeFileSync(join(folder, "no_out_endpoint"), outEndpoint ? "0" : "1");
}

function fileOf(folder: string, { is }: GadgetFunction): string {
  const text = (name: string): string => readFileSync(join(folder, name), "utf8").trim();
  return is === "hid" ? `/dev/hidg${MINOR.exec(text("dev"))?.[1]}` : `/dev/ttyGS${text("port_num")}`;
}

/**
 * A vendor's own page (FF00) with an input and an output report, for each id one pair; an id takes the first of a
 * report's bytes (HID 1.11, 6.2.2).
 */
function reportDescriptor(reportBytes: number, ids: readonly number[]): Uint8Array {
  const count = ids.length === 0 ? reportBytes : reportBytes - 1;
  const pair = [0x09, 0x01, 0x81, 0x02, 0x09, 0x02, 0x91, 0x02];
  const each = ids.length === 0 ? pair : ids.flatMap((id) => [0x85, id, ...pair]);
  return Uint8Array.from([
    0x06,
    0x00,
    0xff,
    0x09,
    0x20,
    0xa1,
    0x01,
    0x15,
    0x00,
    0x26,
    0xff,
    0x00,
    0x75,
    0x08,
    0x95,
    count,
    ...each,
    0xc0,
  ]);
}
