import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** What this machine must have for a guest with a USB stack; none of it comes through npm. */
export interface Parts {
  readonly qemu: string;
  /** A busybox that needs no libraries. */
  readonly busybox: string;
  readonly kernel: string;
  /** Kernel modules, in the order in which they are loaded. */
  readonly modules: readonly string[];
}

/** Something is missing: `message` says all of it, and the mend. */
export class PartsMissing extends Error {
  constructor(missing: readonly string[]) {
    super(`test:usb needs ${missing.join(" and ")}; run .ci/usb-packages, which gets all of it from Debian`);
    this.name = "PartsMissing";
  }
}

/**
 * Each after what it needs. dummy_hcd is host and device controller in one; the usb_f_ modules are what the device side
 * can be.
 */
const MODULES = [
  ...[
    "usb-common",
    "usbcore",
    "udc-core",
    "configfs",
    "dummy_hcd",
    "libcomposite",
    "u_serial",
    "usb_f_acm",
    "usb_f_serial",
    "usb_f_hid",
  ],
  ...["cdc-acm", "hid", "hid-generic", "usbhid"],
];

/** Where .ci/usb-packages puts kernel and modules. */
const kernelFolder =
  process.env["POSBRIDGE_USB_KERNEL"] ??
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "posbridge", "usb-kernel");

export function findParts(): Parts {
  const qemu = inPath("qemu-system-x86_64");
  const busybox = ["/bin/busybox", "/usr/bin/busybox"].find(
    (file) => existsSync(file) && spawnSync("ldd", [file]).status !== 0,
  );
  const files = existsSync(kernelFolder) ? readdirSync(kernelFolder, { recursive: true, encoding: "utf8" }) : [];
  const fileNamed = (fits: (name: string) => boolean): string | undefined => {
    const found = files.find((file) => fits(file.split("/").at(-1) ?? ""));
    return found === undefined ? undefined : join(kernelFolder, found);
  };
  const kernel = fileNamed((name) => name.startsWith("vmlinuz-"));
  const modules = MODULES.map((name) => fileNamed((file) => file === `${name}.ko`));
  if (
    qemu !== undefined &&
    busybox !== undefined &&
    kernel !== undefined &&
    modules.every((module) => module !== undefined)
  ) {
    return { qemu, busybox, kernel, modules };
  }
  throw new PartsMissing([
    ...(qemu === undefined ? ["qemu-system-x86_64 (Debian: qemu-system-x86)"] : []),
    ...(busybox === undefined ? ["a static busybox (Debian: busybox-static)"] : []),
    ...(kernel === undefined ? [`a kernel in ${kernelFolder} (Debian: linux-image-amd64)`] : []),
    ...(kernel === undefined
      ? []
      : MODULES.filter((_, at) => modules[at] === undefined).map((name) => `the kernel's module ${name}`)),
  ]);
}

function inPath(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not here; another folder may have it.
    return false;
  }
}
