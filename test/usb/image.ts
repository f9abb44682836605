import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { bundle, demo } from "../../packaging/bundle.ts";
import { cpioArchive, type Entry, FILE, LINK, PROGRAM } from "./cpio.ts";
import type { Parts } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../..");
/** What runs in the guest, each bundled into one file. */
const PROGRAMS = { "program.mjs": demo.entry, "tests.mjs": "test/usb/guest/main.ts", "open-as-nobody.mjs": "test/usb/guest/open-as-nobody.ts" };
/** Names under which busybox is called in the guest. */
const APPLETS = ["sh", "mount", "insmod", "ifconfig", "poweroff", "mkdir", "stty", "ln", "cat", "sleep", "dmesg"];
/** Native packages and what they load, as folders of node_modules; only this machine's own prebuilt files of them are taken. */
const PACKAGES = [
  ...["usb", "@node-usb/usb-linux-x64-gnu", "@serialport/bindings-cpp", "@serialport/bindings-interface", "node-gyp-build", "debug", "ms"],
  "@lydell/node-pty-linux-x64",
];
const OTHER_PLATFORM = /\/prebuilds\/(?!linux-x64\/)|\.musl\.node$|\.md$|\.map$/;

/**
 * The guest's first file system as an archive: busybox, the kernel's modules, this Node with its libraries, the program that a shop would install (with sandbox and
 * simulators), and the tests that run in the guest; both bundled, because reading some three hundred sources takes the emulated processor half a minute.
 */
export async function guestImage(parts: Parts, scratch: string): Promise<Buffer> {
  const programs = await Promise.all(
    Object.entries(PROGRAMS).map(async ([name, entry]) => {
      await bundle({ ...demo, name, entry }, ROOT, join(scratch, name));
      return file(`app/${name}`, join(scratch, name), FILE);
    }),
  );
  const node = realpathSync(process.execPath);
  const packages = PACKAGES.flatMap((name) => folder(join(ROOT, "node_modules", name), `app/node_modules/${name}`));
  const natives = packages.filter(({ path }) => path.endsWith(".node")).map(({ path }) => join(ROOT, path.replace("app/", "")));
  const libraries = [...new Set([node, ...natives].flatMap(librariesOf))];
  return cpioArchive([
    file("init", join(import.meta.dirname, "guest/init.sh"), PROGRAM),
    file("bin/busybox", parts.busybox, PROGRAM),
    ...APPLETS.map((name): Entry => ({ path: `bin/${name}`, mode: LINK, bytes: Buffer.from("busybox") })),
    ...parts.modules.map((path) => file(`modules/${basename(path)}`, path, FILE)),
    { path: "modules/order", mode: FILE, bytes: Buffer.from(parts.modules.map((path) => basename(path)).join("\n")) },
    file("bin/node", node, PROGRAM),
    ...libraries.map((path) => file(path.slice(1), path, PROGRAM)),
    ...packages,
    ...programs,
    { path: "app/package.json", mode: FILE, bytes: Buffer.from('{"type":"module"}') },
    { path: "etc/passwd", mode: FILE, bytes: Buffer.from("root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n") },
  ]);
}

function file(path: string, from: string, mode: number): Entry {
  return { path, mode, bytes: readFileSync(from) };
}

function folder(from: string, to: string): readonly Entry[] {
  return readdirSync(from, { recursive: true, encoding: "utf8" })
    .map((name) => ({ name, stat: lstatSync(join(from, name)) }))
    .filter(({ name, stat }) => !stat.isDirectory() && !OTHER_PLATFORM.test(`/${name}`))
    .map(({ name, stat }) =>
      stat.isSymbolicLink()
        ? { path: `${to}/${name}`, mode: LINK, bytes: Buffer.from(readlinkSync(join(from, name))) }
        : file(`${to}/${name}`, join(from, name), FILE),
    );
}

/** Libraries that the loader needs for a program or a native package, by their paths on this machine. */
function librariesOf(program: string): readonly string[] {
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => (path === undefined ? [] : [path]));
}
