import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { bundle, demo } from "../../packaging/bundle.ts";
import { addonsOf } from "../../packaging/make.ts";
import { systemStore } from "../../packaging/npm-packages.ts";
import { cpioArchive, type Entry, FILE, LINK, PROGRAM } from "./cpio.ts";
import type { Parts } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../..");
/** What runs in the guest, each bundled into one file. */
const PROGRAMS = {
  "program.cjs": demo.entry,
  "tests.cjs": "test/usb/guest/main.ts",
  "open-as-nobody.cjs": "test/usb/guest/open-as-nobody.ts",
  "claim.cjs": "test/usb/guest/claim.ts",
};
/** Names under which busybox is called in the guest. */
const APPLETS = ["sh", "mount", "insmod", "ifconfig", "poweroff", "mkdir", "stty", "ln", "cat", "sleep", "dmesg"];
/**
 * The guest's first file system as an archive: busybox, the kernel's modules, this Node with its libraries, the program
 * that a shop would install (with sandbox and
 * simulators), and the tests that run in the guest; both bundled, because reading some three hundred sources takes the
 * emulated processor half a minute.
 */
export async function guestImage(parts: Parts, scratch: string): Promise<Buffer> {
  const addons = addonsOf(demo, "linux-x64", systemStore(ROOT));
  const programs = await Promise.all(
    Object.entries(PROGRAMS).map(async ([name, entry]) => {
      const folder = join(scratch, name);
      await bundle(
        { ...demo, name, entry },
        { root: ROOT, folder, addons, identity: { commit: undefined, target: "linux-x64" } },
      );
      return file(`app/${name}`, join(folder, "main.cjs"), FILE);
    }),
  );
  const node = realpathSync(process.execPath);
  const natives = addons.map((addon) => join(addon.folder, addon.file));
  const libraries = [...new Set([node, ...natives].flatMap(librariesOf))];
  return cpioArchive([
    file("init", join(import.meta.dirname, "guest/init.sh"), PROGRAM),
    file("bin/busybox", parts.busybox, PROGRAM),
    ...APPLETS.map((name): Entry => ({ path: `bin/${name}`, mode: LINK, bytes: Buffer.from("busybox") })),
    ...parts.modules.map((path) => file(`modules/${basename(path)}`, path, FILE)),
    { path: "modules/order", mode: FILE, bytes: Buffer.from(parts.modules.map((path) => basename(path)).join("\n")) },
    file("bin/node", node, PROGRAM),
    ...libraries.map((path) => file(path.slice(1), path, PROGRAM)),
    ...natives.map((path) => file(`app/${basename(path)}`, path, FILE)),
    ...programs,
    { path: "app/package.json", mode: FILE, bytes: Buffer.from('{"type":"module"}') },
    {
      path: "etc/passwd",
      mode: FILE,
      bytes: Buffer.from("root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n"),
    },
  ]);
}

function file(path: string, from: string, mode: number): Entry {
  return { path, mode, bytes: readFileSync(from) };
}

/** Libraries that the loader needs for a program or a native package, by their paths on this machine. */
function librariesOf(program: string): readonly string[] {
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => (path === undefined ? [] : [path]));
}
