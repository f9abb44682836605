import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGuest } from "./emulator.ts";
import { guestImage } from "./image.ts";
import { findParts, PartsMissing } from "./parts.ts";
import { judge } from "./verdict.ts";

/*
 * npm run test:usb: boots Debian's kernel in an emulator with a USB stack of its own, in which simulated terminals are
 * real USB devices, and makes sales with them
 * (docs/usb.md). Exit code 0 only where every check of test/usb/guest held.
 */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(): Promise<number> {
  const started = performance.now();
  const parts = findParts();
  const scratch = mkdtempSync(join(tmpdir(), "posbridge-usb-"));
  try {
    const image = join(scratch, "image.cpio");
    writeFileSync(image, await guestImage(parts, scratch));
    say(`image of the guest made in ${seconds(started)} s; booting ${parts.kernel}`);
    const { lines, end } = await runGuest(parts, image, (line) => {
      if (line.startsWith("TEST-")) say(line);
    });
    const { passed, failed, problems } = judge(lines, end);
    if (problems.length > 0) for (const line of lines.slice(-40)) say(`guest: ${line}`);
    for (const problem of problems) say(`usb: ${problem}`);
    say(`usb: ${passed} passed, ${failed} failed in ${seconds(started)} s`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000);
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof PartsMissing)) throw error;
  say(`usb: ${error.message}`);
  process.exitCode = 1;
}
