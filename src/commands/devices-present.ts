import fs from "node:fs";
import type { Configuration } from "../config/configuration.ts";
import { openKnownTerminals } from "../journal/known-terminals.ts";
import { seenDevices } from "../transport/devices.ts";
import { UsageProblem } from "./terminal-output.ts";

/**
 * A serial device that is not there and that no terminal of this data folder was ever found at is most likely a wrong path: said at once, instead of waiting for it for
 * ever. A terminal that has answered before may be switched off: the bridge starts, and waits for it.
 */
export async function requireDevices({ terminals, dataDir }: Configuration): Promise<void> {
  const known = openKnownTerminals(dataDir);
  for (const { id, connection } of terminals) {
    if (connection.kind !== "serial" || fs.existsSync(connection.path) || known.serialNumber(id) !== undefined) continue;
    const seen = await seenDevices();
    const here = seen.length === 0 ? "none is plugged in" : `plugged in: ${seen.join(", ")}`;
    throw new UsageProblem(`terminal ${id}: no device at ${connection.path} (${here}); plug it in and switch it on, or correct connection.serial`);
  }
}
