import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

/*
 * Runs under Wine, by the Node for Windows: node.exe hold-file.ts KOFFI FILE READY RELEASE. Holds FILE open as a virus
 * scanner may, without leave to rename or delete it,
 * until RELEASE is there and a third of a second has passed. READY is made once it is held.
 */

interface Ffi {
  load(library: string): { func(definition: string): (...values: readonly unknown[]) => unknown };
}

const GENERIC_READ = 0x8000_0000;
const FILE_SHARE_READ_AND_WRITE = 3;
const OPEN_EXISTING = 3;
const HELD_ON_MS = 330;

const [koffi = "", file = "", ready = "", release = ""] = process.argv.slice(2);
const ffi: Ffi = createRequire(import.meta.url)(koffi);
const kernel = ffi.load("kernel32.dll");
const createFile = kernel.func(
  "void *CreateFileW(str16 name, uint32_t access, uint32_t share, void *security, uint32_t how, uint32_t flags, void *template)",
);
const held = createFile(file, GENERIC_READ, FILE_SHARE_READ_AND_WRITE, null, OPEN_EXISTING, 0, null);
writeFileSync(ready, String(held));
const looking = setInterval(() => {
  if (!existsSync(release)) return;
  clearInterval(looking);
  setTimeout(() => process.exit(0), HELD_ON_MS);
}, 5);
