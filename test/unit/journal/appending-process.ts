/*
 * A process that appends until it is killed, for the tests of this folder: node appending-process.ts FOLDER WRITERS. It
 * prints a line for every append that was
 * acknowledged ("acknowledged LAST-FACT APPEND"), and when the disk takes no more, what it can still read; a line on
 * stdin lets it go on after that.
 */

import { once } from "node:events";
import fs from "node:fs";
import { JournalUnwritable } from "../../../src/engine/ports.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { AT, factsOfAppend, paymentRow } from "./payment-row.ts";

const [, , dataDir = "", writers = "1"] = process.argv;
// Synchronous, so that a line is out before anything else happens: what is not printed was not acknowledged to anybody.
const say = (line: string): number => fs.writeSync(1, `${line}\n`);

const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
let next = await journal.lastNumber();

async function write(): Promise<void> {
  for (;;) {
    next += 1;
    const n = next;
    const { last } = await journal.append(factsOfAppend(n), AT, paymentRow(n));
    say(`acknowledged ${last} ${n}`);
  }
}

for (;;) {
  const [ended] = (await Promise.allSettled(Array.from({ length: Number(writers) }, write))).map((one) =>
    one.status === "rejected" ? one.reason : undefined,
  );
  if (!(ended instanceof JournalUnwritable)) throw ended;
  const probed = await journal.probe().then(
    () => "takes a write",
    (cause: unknown) => (cause instanceof JournalUnwritable ? "takes none" : String(cause)),
  );
  const rows = await journal.list({ limit: 1 });
  say(
    `unwritable ${JSON.stringify({ message: ended.message, probed, last: await journal.lastNumber(), newest: rows.rows[0]?.payment })}`,
  );
  await once(process.stdin, "data");
}
