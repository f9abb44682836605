/*
 * Restores a backup and is killed just before the step of that number, or before a file gets that path: node
 * restoring-process.ts FILE FOLDER STEP REPLACE. A step is whatever makes, copies,
 * moves or removes a name. Prints "done" where there are fewer steps.
 */

import fs from "node:fs";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";

const [file = "", dataDir = "", step = "0", replace] = process.argv.slice(2);
let left = Number(step);

for (const name of ["mkdirSync", "renameSync", "copyFileSync", "rmSync"] as const) {
  const original: unknown = fs[name];
  if (typeof original !== "function") throw new TypeError(name);
  Object.defineProperty(fs, name, {
    value: (...args: readonly unknown[]): unknown => {
      left -= 1;
      if (left === 0 || (name === "renameSync" && String(args[1]).endsWith(step))) process.kill(process.pid, "SIGKILL");
      return Reflect.apply(original, fs, args);
    },
  });
}

// After that: some of it keeps these functions from its first moment on.
const { dropRevoked } = await import("../../../src/agent/restored-tokens.ts");
const { restoreBackup } = await import("../../../src/journal/restore.ts");
await restoreBackup({
  file,
  dataDir,
  environment: "test",
  replace: replace === "replace",
  dropRevoked,
  clock: systemClock,
  random: systemRandom,
});
fs.writeSync(1, "done\n");
