import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { freshFolder, open } from "./folder.ts";
import { startAppending } from "./other-process.ts";

const stoppedSchema = z.object({ message: z.string(), probed: z.string(), last: z.int(), newest: z.string() });
const stopped = (line: string) => stoppedSchema.parse(JSON.parse(line.replace("unwritable ", "")));
const lastAcknowledged = (lines: readonly string[]) =>
  Math.max(...lines.filter((line) => line.startsWith("acknowledged ")).map((line) => Number(line.split(" ")[1])));

/**
 * No file of that process may grow beyond this: what a full disk is to it, without filling one (ulimit counts in units
 * of 512 bytes).
 */
const LIMIT = 'ulimit -S -f 1500; exec "$@"';

describe("a disk that takes no more", () => {
  it.each([1, 16])(
    "refuses appends, still answers questions, and takes appends again when there is room (%i writers)",
    async (writers) => {
      const folder = freshFolder();
      const other = startAppending(folder, writers, LIMIT);
      const first = stopped(await other.line("unwritable"));
      expect(first.message).toMatch(/^the journal cannot be written: /);
      expect(first.last).toBe(lastAcknowledged(other.lines));
      // The probe writes what one append takes; a commit that many share may not fit where that still does.
      if (writers === 1) expect(first.probed).toBe("takes none");

      const seen = other.lines.length;
      execFileSync("prlimit", ["--pid", String(other.child.pid), "--fsize=unlimited:"]);
      other.child.stdin?.write("go on\n");
      await other.line("acknowledged", seen + 50);
      await other.kill();

      const journal = await open(folder);
      expect(await journal.lastNumber()).toBeGreaterThanOrEqual(lastAcknowledged(other.lines));
      expect(await journal.facts(first.newest)).not.toEqual([]);
    },
  );
});
