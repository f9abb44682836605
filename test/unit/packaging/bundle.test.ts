import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Artefact, bundle, demo, shop } from "../../../packaging/bundle.ts";
import { TARGETS, type TargetName } from "../../../packaging/targets.ts";
import { PACKED_FOLDER } from "../../../src/commands/packed-folder.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "posbridge-bundle-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Bundles only what loads native code, with files in the place of the real addons: a bundle does not look into them.
 */
async function natives(
  artefact: Artefact,
  entry: string,
  target: TargetName,
): Promise<{ readonly files: readonly string[]; readonly code: string }> {
  const addons = TARGETS[target].addons
    .filter((addon) => artefact.addonsIn.includes(addon.in))
    .map((addon) => {
      const at = join(folder, addon.package);
      mkdirSync(dirname(join(at, addon.file)), { recursive: true });
      writeFileSync(join(at, addon.file), "native code");
      writeFileSync(join(at, "package.json"), JSON.stringify({ name: addon.package, version: "0.0.0" }));
      return { ...addon, folder: at };
    });
  const made = join(folder, "made");
  const identity = { commit: "1234567", target };
  await bundle(
    { ...artefact, entry, pages: [], forbidden: undefined },
    { root: process.cwd(), folder: made, addons, identity },
  );
  return { files: readdirSync(made).sort(), code: readFileSync(join(made, "main.cjs"), "utf8") };
}

it.each([
  ["linux-x64", "usb.linux-x64-gnu.node"],
  ["linux-arm64", "usb.linux-arm64-gnu.node"],
  ["win-x64", "usb.win32-x64-msvc.node"],
] as const)("a bundle for %s holds its own native code for USB and no other", async (target, file) => {
  const { files, code } = await natives(shop, "src/transport/usb-bus.ts", target);
  expect(files).toEqual(["main.cjs", file]);
  expect(code).toContain(`require("./${file}")`);
  expect(code).toContain(`${PACKED_FOLDER}${file}`);
});

it.each([
  ["linux-x64", "@serialport+bindings-cpp.glibc.node"],
  ["linux-arm64", "@serialport+bindings-cpp.armv8.glibc.node"],
  ["win-x64", "@serialport+bindings-cpp.node"],
] as const)("a bundle for %s holds its own native code for serial lines and no other", async (target, file) => {
  const { files, code } = await natives(shop, "src/transport/serial.ts", target);
  expect(files).toEqual([file, "main.cjs"]);
  expect(code).toContain(`require("./${file}")`);
  expect(code).toContain(`${PACKED_FOLDER}${file}`);
});

it("pseudo-terminals are in the demo for Linux alone", async () => {
  expect((await natives(demo, "src/simulator/native-pty.ts", "linux-x64")).files).toEqual(["main.cjs", "pty.node"]);
  rmSync(join(folder, "made"), { recursive: true });
  expect((await natives(demo, "src/simulator/native-pty.ts", "win-x64")).files).toEqual(["main.cjs"]);
});

it("nothing in a bundle tells in which folder it was made", async () => {
  const { code } = await natives(shop, "src/transport/serial.ts", "linux-x64");
  expect(code).not.toContain(folder);
  expect(code).not.toContain(process.cwd());
});

it("a bundle names the commit and the target that it was made for, and asks no git", async () => {
  const { code } = await natives(shop, "src/commands/program.ts", "win-x64");
  expect(code.includes('{commit:"1234567",target:"win-x64"}')).toBe(true);
  expect(code.includes('"describe"')).toBe(false);
});

it("a program brings the description of the register API and its packages as texts, and makes neither at its start", async () => {
  const { code } = await natives({ ...shop, addonsIn: [] }, "src/register/rpc/openrpc-text.ts", "linux-x64");
  expect(code).toContain('"openrpc.json"');
  expect(code).not.toContain("toJSONSchema");
});

it("a bundle is one script of one byte a character, because V8 keeps its text in memory", async () => {
  const { code } = await natives({ ...shop, addonsIn: [] }, shop.entry, "linux-x64");
  expect(Buffer.byteLength(code)).toBe(code.length);
  expect(code.length).toBeLessThan(5_400_000);
});
