import fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeDurably } from "./durable-file.ts";

/** A device as it described itself when last in service. */
export interface KnownDevice {
  readonly serialNumber: string;
  readonly firmware?: string | undefined;
  /** Names and versions of its configuration: kernels, key tables, texts. */
  readonly configuration?: readonly { readonly name: string; readonly version: string }[] | undefined;
  /** The USB device behind its serial port, which finds it again on another port. */
  readonly usb?: KnownUsb | undefined;
}

export interface KnownUsb {
  readonly vendorId: number;
  readonly productId: number;
  readonly serialNumber?: string | undefined;
}

/**
 * Remembers which device answered for each configured terminal. A different device or configuration on the same port is
 * then noticed even after a restart.
 */
export interface KnownTerminals {
  serialNumber(terminal: string): string | undefined;
  usb(terminal: string): KnownUsb | undefined;
  /**
   * Remembers the device, durable on return; on a throw nothing is remembered. Returns the configuration changes of the
   * same device.
   */
  remember(terminal: string, device: KnownDevice): readonly Change[];
  /** Forgets the device, durable on return. The next device that answers becomes this terminal. */
  forget(terminal: string): void;
}

/** `before` or `now` is absent if the part did not exist. */
export interface Change {
  readonly part: string;
  readonly before?: string;
  readonly now?: string;
}

const FILE = "terminals.json";
/** Fields of another version are ignored, so that they never block a start. */
const fileSchema = z.record(
  z.string(),
  z.object({
    serialNumber: z.string().min(1),
    firmware: z.string().optional(),
    configuration: z.array(z.object({ name: z.string(), version: z.string() })).optional(),
    usb: z.object({ vendorId: z.int(), productId: z.int(), serialNumber: z.string().optional() }).optional(),
  }),
);

/** The file's content is invalid, for example edited by hand. `message` names the file and the mend. */
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
    usb: (terminal) => known.get(terminal)?.usb,
    remember: (terminal, { serialNumber, firmware, configuration, usb }) => {
      const before = known.get(terminal);
      const now = {
        serialNumber,
        ...(firmware !== undefined && { firmware }),
        ...(configuration && { configuration: [...configuration] }),
        ...(usb && { usb: { ...usb } }),
      };
      if (JSON.stringify(before) === JSON.stringify(now)) return [];
      writeDurably(path, `${JSON.stringify(Object.fromEntries([...known, [terminal, now]]), undefined, 2)}\n`);
      known.set(terminal, now);
      return before?.serialNumber === serialNumber ? changes(before, now) : [];
    },
    forget: (terminal) => {
      if (!known.has(terminal)) return;
      writeDurably(
        path,
        `${JSON.stringify(Object.fromEntries([...known].filter(([id]) => id !== terminal)), undefined, 2)}\n`,
      );
      known.delete(terminal);
    },
  };
}

/** Differences between the two; none if either has no configuration. */
function changes(before: KnownDevice, now: KnownDevice): readonly Change[] {
  if (before.configuration === undefined || now.configuration === undefined) return [];
  const [old, fresh] = [partsOf(before), partsOf(now)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((part) => {
    const [was, is] = [old.get(part), fresh.get(part)];
    return was === is
      ? []
      : [{ part, ...(was !== undefined && { before: was }), ...(is !== undefined && { now: is }) }];
  });
}

function partsOf({ firmware, configuration = [] }: KnownDevice): ReadonlyMap<string, string> {
  return new Map([
    ...(firmware === undefined ? [] : [["firmware", firmware] as const]),
    ...configuration.map(({ name, version }) => [name, version] as const),
  ]);
}

function read(path: string): z.infer<typeof fileSchema> {
  if (!fs.existsSync(path)) return {};
  try {
    return fileSchema.parse(JSON.parse(fs.readFileSync(path, "utf8")));
  } catch (cause) {
    throw new KnownTerminalsUnreadable(path, cause instanceof SyntaxError ? "no JSON" : "unexpected content");
  }
}
