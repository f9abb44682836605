import type { Configuration } from "../config/configuration.ts";
import { type Equipped, equip } from "../config/equip.ts";
import { followed } from "../config/load.ts";
import {
  EMPTY_BOOK,
  type PairedBook,
  pairedBookText,
  parsePairedBook,
  type ReplacedTerminal,
} from "../config/paired-book.ts";
import { pathText } from "../config/problem.ts";
import type { TerminalSurroundings } from "../config/rule.ts";
import type { KnownModel } from "../config/surroundings.ts";
import { pairedFile, readPairedFile, writePairedFile } from "../journal/paired-file.ts";
import type { Log } from "../observe/log.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { createTerminals, type TerminalSet } from "../terminal/terminals.ts";
import { lookAtDevices } from "../transport/devices.ts";
import { connectionText } from "./lines.ts";
import { knownModels } from "./models.ts";
import { createPairing, type OpenPairing } from "./pairing.ts";
import type { PairedStore, PairingPorts } from "./pairing-desk.ts";
import { type OpenTerminal, openTerminal, type SessionPorts } from "./terminals.ts";

/** The data folder's terminals prevent the start: `message` names the file and the fix. */
export class PairedTerminalsRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PairedTerminalsRefused";
  }
}

/** Throws PairedTerminalsRefused if the file is damaged. */
export function readPairedBook(dataDir: string): PairedBook {
  const text = readText(dataDir);
  if (text === undefined) return EMPTY_BOOK;
  const reading = parsePairedBook(text);
  if (reading.ok) return reading.book;
  throw new PairedTerminalsRefused(`${pairedFile(dataDir)} cannot be used: ${reading.problem}; ${MEND}`);
}

const MEND = "restore it from a backup, or move it away and pair its terminals anew (posbridge terminals pair --help)";

function readText(dataDir: string): string | undefined {
  try {
    return readPairedFile(dataDir);
  } catch (cause) {
    throw new PairedTerminalsRefused(
      `${pairedFile(dataDir)} cannot be read (${cause instanceof Error ? cause.message : String(cause)}); ${MEND}`,
    );
  }
}

export function openPairedStore(dataDir: string): PairedStore {
  let book = readPairedBook(dataDir);
  return {
    book: () => book,
    keep: (next) => {
      writePairedFile(dataDir, pairedBookText(next));
      book = next;
    },
  };
}

export function surroundingsOf(models: readonly DriverModel[]): TerminalSurroundings {
  return { models: knownModels(models), followed };
}

/** Throws PairedTerminalsRefused if the terminals of data folder and configuration file conflict. */
function equippedOrRefused(
  file: Configuration,
  book: PairedBook,
  around: TerminalSurroundings,
): Extract<Equipped, { ok: true }> {
  const equipped = equip(file, book, around);
  if (equipped.ok) return equipped;
  const lines = equipped.findings.map(
    ({ terminal, path, message }) => `terminal ${terminal}: ${pathText(path)} ${message}`,
  );
  throw new PairedTerminalsRefused(`${pairedFile(file.dataDir)} does not go with ${file.file}: ${lines.join("; ")}`);
}

/** Notes on the data folder's terminals for a person who checks the file; or the conflict between both. */
type DataFolderTerminals =
  | { readonly ok: true; readonly notes: readonly { readonly terminal: string; readonly note: string }[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export function dataFolderTerminals(file: Configuration, models: readonly KnownModel[]): DataFolderTerminals {
  try {
    const book = readPairedBook(file.dataDir);
    const { configuration, outdated } = equippedOrRefused(file, book, { models, followed });
    const now = (id: string): string => {
      const terminal = configuration.terminals.find((one) => one.id === id);
      return terminal === undefined ? "" : `${terminal.model} at ${connectionText(terminal)}`;
    };
    const paired = book.paired.map(({ terminal, at, by }) => ({
      terminal: terminal.id,
      note: `${now(terminal.id)}, paired in the data folder on ${at} by ${by}`,
    }));
    const replaced = book.replaced.map((entry) => ({
      terminal: entry.id,
      note: replacedNote(entry, outdated.includes(entry), now(entry.id)),
    }));
    return { ok: true, notes: [...paired, ...replaced] };
  } catch (cause) {
    if (cause instanceof PairedTerminalsRefused) return { ok: false, problems: [cause.message] };
    throw cause;
  }
}

function replacedNote({ at, by }: ReplacedTerminal, isOutdated: boolean, now: string): string {
  if (isOutdated) return `was replaced on ${at} by ${by}, and the file was edited since: the file counts`;
  return `is ${now} instead of what the file says: replaced on ${at} by ${by}; the data folder counts until the file is edited`;
}

/** All terminals of a bridge, from the file and the data folder. */
export interface Roster {
  /** The file combined with the data folder's terminals at the start. */
  readonly configuration: Configuration;
  readonly terminals: TerminalSet;
  /** The current combination. */
  current(): Configuration;
  pairing(ports: Pick<PairingPorts, "heldBy" | "changed" | "audit">): OpenPairing;
}

export interface RosterOn {
  readonly file: Configuration;
  readonly models: readonly DriverModel[];
  readonly store: PairedStore;
  readonly ports: SessionPorts & { readonly log: Log };
  /** The plugged-in devices; the system's by default. */
  readonly look?: PairingPorts["look"];
}

export function openRoster({ file, models, store, ports, look = lookAtDevices }: RosterOn): Roster {
  const around = surroundingsOf(models);
  const { configuration, outdated } = equippedOrRefused(file, store.book(), around);
  for (const { id, at, by } of outdated) {
    ports.log.warn(
      { terminal: id, at, by },
      "the configuration file was edited since this terminal was replaced: the file counts",
    );
  }
  let current = configuration;
  const open: PairingPorts["open"] = (terminal, isNew) =>
    openTerminal(terminal, { configuration: () => current, models, isNew }, ports);
  const opened = new Map<string, OpenTerminal>();
  for (const terminal of configuration.terminals) {
    const one = open(terminal, false);
    one.serve();
    opened.set(terminal.id, one);
  }
  const terminals = createTerminals([...opened.values()].map(({ session }) => session));
  tellOfBook(store.book(), ports.log);
  return {
    configuration,
    terminals,
    current: () => current,
    pairing: ({ changed, ...rest }) =>
      createPairing({
        ...rest,
        ...{ file, equipped: configuration, opened, models, around, store, terminals, open, look },
        ...{ known: ports.known, clock: ports.clock, log: ports.log },
        changed: (next) => {
          current = next;
          for (const id of ports.traces.keys())
            if (!next.terminals.some((terminal) => terminal.id === id)) ports.traces.delete(id);
          changed(next);
        },
      }),
  };
}

/** Changes made while no bridge ran have no log line of their own; this line shows them. */
function tellOfBook({ paired, replaced, changes }: PairedBook, log: Pick<Log, "info">): void {
  const newest = changes.at(-1);
  if (newest === undefined) return;
  log.info({ audit: true, paired: paired.length, replaced: replaced.length, newest }, "terminals of this data folder");
}
