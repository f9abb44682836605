import fs from "node:fs";
import type { Configuration } from "../config/configuration.ts";
import { openKnownTerminals } from "../journal/known-terminals.ts";
import { seenDevices } from "../transport/devices.ts";
import { UsageProblem } from "./terminal-output.ts";

/**
 * At the first start, before any terminal of this data folder has ever answered, a serial device that is not there is most likely a wrong path: said at once, instead of
 * waiting for it for ever. Later a terminal may be switched off, or a new one still to come, and the shop must open all the same: the bridge starts, and waits for it.
 */
export async function requireDevices({ terminals, dataDir }: Configuration): Promise<void> {
  const known = openKnownTerminals(dataDir);
  if (terminals.some(({ id }) => known.serialNumber(id) !== undefined)) return;
  for (const { id, connection } of terminals) {
    if (connection.kind !== "serial" || fs.existsSync(connection.path)) continue;
    const seen = await seenDevices();
    const here = seen.length === 0 ? "none is plugged in" : `plugged in: ${seen.join(", ")}`;
    throw new UsageProblem(`terminal ${id}: no device at ${connection.path} (${here}); plug it in and switch it on, or correct connection.serial`);
  }
}
