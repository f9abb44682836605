import fs from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { syncFolder } from "./data-folder.ts";

/** Which device answered for which configured terminal, so that a different device on the same port is noticed also after a restart. */
export interface KnownTerminals {
  serialNumber(terminal: string): string | undefined;
  /** Remembers the device; durable when it returns. */
  remember(terminal: string, serialNumber: string): void;
}

const FILE = "terminals.json";
const fileSchema = z.record(z.string(), z.strictObject({ serialNumber: z.string().min(1) }));

/** The file was changed by hand into something else: `message` names it and the mend. */
export class KnownTerminalsUnreadable extends Error {
  constructor(path: string, problem: string) {
    super(`${path} cannot be read (${problem}): restore it, or delete it to have every terminal recognised anew`);
    this.name = "KnownTerminalsUnreadable";
  }
}

export function openKnownTerminals(dataDir: string): KnownTerminals {
  const path = join(dataDir, FILE);
  const known = new Map(Object.entries(read(path)));
  return {
    serialNumber: (terminal) => known.get(terminal)?.serialNumber,
    remember: (terminal, serialNumber) => {
      if (known.get(terminal)?.serialNumber === serialNumber) return;
      known.set(terminal, { serialNumber });
      write(path, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`);
    },
  };
}

function read(path: string): z.infer<typeof fileSchema> {
  if (!fs.existsSync(path)) return {};
  try {
    return fileSchema.parse(JSON.parse(fs.readFileSync(path, "utf8")));
  } catch (cause) {
    throw new KnownTerminalsUnreadable(path, cause instanceof SyntaxError ? "no JSON" : "unexpected content");
  }
}

/** A new file beside the old one, synced, then renamed over it: a power cut leaves the one or the other. */
function write(path: string, text: string): void {
  const fresh = `${path}.new`;
  const file = fs.openSync(fresh, "w", 0o600);
  try {
    fs.writeSync(file, text);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(fresh, path);
  syncFolder(dirname(path));
}
