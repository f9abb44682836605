import fs from "node:fs";
import type { Configuration, TerminalSettings } from "../config/configuration.ts";
import { equip } from "../config/equip.ts";
import type { PairedBook } from "../config/paired-book.ts";
import type { TerminalEntry } from "../control/methods.ts";
import { type TerminalHandlers, terminalHandlers } from "../control/terminals.ts";
import { needsTerminal } from "../engine/service/start.ts";
import { recall } from "../engine/shell/journal-replay.ts";
import { prepareDataFolder } from "../journal/data-folder.ts";
import { type KnownTerminals, openKnownTerminals } from "../journal/known-terminals.ts";
import { lockDataFolder } from "../journal/lock.ts";
import { openJournal } from "../journal/sqlite-journal.ts";
import { systemClock } from "../kit/system-clock.ts";
import { systemLocalTime } from "../kit/system-local-time.ts";
import { systemRandom } from "../kit/system-random.ts";
import type { Log } from "../observe/log.ts";
import { type Granted, granted, nameOf, type PaymentName, refused } from "../payment/request.ts";
import type { Payment } from "../payment/state.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { Session } from "../terminal/session.ts";
import { lookAtDevices } from "../transport/devices.ts";
import { connectionText } from "./lines.ts";
import { createPairing, terminalNotes } from "./pairing.ts";
import type { PairingPorts } from "./pairing-desk.ts";
import { proven } from "./pairing-proof.ts";
import { openPairedStore, readPairedBook, surroundingsOf } from "./roster.ts";
import { openTerminal } from "./terminals.ts";

const NOT_RUNNING = { state: "not running", reason: "no bridge runs on this data folder" } as const;

/** The terminals without a running bridge; reading needs no lock. Throws PairedTerminalsRefused. */
export function listAtRest(file: Configuration, models: readonly DriverModel[]): readonly TerminalEntry[] {
  const book = readPairedBook(file.dataDir);
  const known = openKnownTerminals(file.dataDir);
  const terminals = terminalsOf(file, book, models);
  return terminals.map((terminal) => {
    const serialNumber = known.serialNumber(terminal.id);
    return {
      ...{ id: terminal.id, model: terminal.model, ...NOT_RUNNING, connection: connectionText(terminal) },
      ...terminalNotes(book, file, { ...file, terminals }, terminal.id),
      ...(serialNumber !== undefined && { serialNumber }),
    };
  });
}

/**
 * Only the file's terminals if both conflict. Commands that change terminals report the conflict, and unpairing may
 * solve it.
 */
function terminalsOf(
  file: Configuration,
  book: PairedBook,
  models: readonly DriverModel[],
): readonly TerminalSettings[] {
  const equipped = equip(file, book, surroundingsOf(models));
  return equipped.ok ? equipped.configuration.terminals : file.terminals;
}

/**
 * Does the daemon's work for the terminal commands while none runs, holding the folder's lock. Rejects with
 * JournalRefused (lock held, journal damaged) or PairedTerminalsRefused.
 */
export async function withTerminalsAtRest<T>(
  file: Configuration,
  models: readonly DriverModel[],
  log: Pick<Log, "warn">,
  run: (handlers: TerminalHandlers) => Promise<T>,
): Promise<T> {
  const { payments, release } = await holdFolder(file);
  const sessions: Session[] = [];
  try {
    const store = openPairedStore(file.dataDir);
    const known = openKnownTerminals(file.dataDir);
    const terminals = terminalsOf(file, store.book(), models);
    const open = opener({ ...file, terminals }, models, known);
    const heldBy = (terminal: string): PaymentName | undefined => holderIn(payments, terminal);
    const shelf: PairingPorts["terminals"] = {
      status: () => undefined,
      put: (session) => void sessions.push(session),
      suspend: async () => undefined,
      remove: async () => undefined,
    };
    const pairing = createPairing({
      ...{
        file,
        equipped: { ...file, terminals },
        opened: new Map(),
        models,
        around: surroundingsOf(models),
        store,
        known,
        terminals: shelf,
        open,
        heldBy,
      },
      ...{ changed: () => undefined, audit: () => undefined, look: lookAtDevices, clock: systemClock, log },
    });
    const test = (id: string) => testAtRest(id, { terminals, models, open, heldBy });
    return await run(terminalHandlers({ pairing, terminals: () => listAtRest(file, models), test }));
  } finally {
    await Promise.all(sessions.map((session) => session.stop()));
    await release();
  }
}

/** The folder's lock, and the open payments of its journal, if any. */
async function holdFolder({
  dataDir,
  environment,
}: Configuration): Promise<{ readonly payments: readonly Payment[]; release(): Promise<void> }> {
  const folder = prepareDataFolder(dataDir);
  if (!fs.existsSync(folder.journal)) {
    const lock = lockDataFolder(folder);
    return { payments: [], release: async () => lock.release() };
  }
  const journal = await openJournal({ clock: systemClock, random: systemRandom, dataDir, environment });
  try {
    const known = await Promise.all((await journal.openPayments()).map((id) => recall(journal, id)));
    return {
      payments: known.flatMap((one) => (one === undefined ? [] : [one.payment])),
      release: () => journal.close(),
    };
  } catch (cause) {
    await journal.close();
    throw cause;
  }
}

/** The payment that an ended bridge left on the terminal; the next start releases it. */
function holderIn(payments: readonly Payment[], terminal: string): PaymentName | undefined {
  const holder = payments.find(
    (payment) => needsTerminal(payment, terminal) || (payment.leased && payment.accepted.terminal === terminal),
  );
  return holder && nameOf(holder.accepted);
}

/** The command's answer contains the session's messages. */
const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function opener(
  configuration: Configuration,
  models: readonly DriverModel[],
  known: KnownTerminals,
): PairingPorts["open"] {
  const shared = { clock: systemClock, random: systemRandom, localTime: systemLocalTime, log: silent };
  const ports = {
    ...shared,
    metrics: { linkOpened: () => undefined, linkLost: () => undefined, frameFailed: () => undefined },
    traces: new Map(),
    known,
  };
  return (terminal, isNew) => openTerminal(terminal, { configuration: () => configuration, models, isNew }, ports);
}

/** Opens the line of an unknown terminal and reads its serial number. Stores nothing and needs no data folder. */
export async function proveAlone(
  configuration: Configuration,
  models: readonly DriverModel[],
): Promise<Granted<ProvenAlone>> {
  const [terminal] = configuration.terminals;
  if (terminal === undefined)
    return refused("unknown-terminal", "the configuration has no terminal", "fix-request", "terminals");
  const known: KnownTerminals = {
    serialNumber: () => undefined,
    usb: () => undefined,
    remember: () => [],
    forget: () => undefined,
  };
  const modelByIds = async () => undefined;
  const proof = await proven(opener(configuration, models, known)(terminal, true), terminal, {
    ...{ clock: systemClock, models, modelByIds, stopped: new Promise<never>(() => undefined) },
  });
  if (!proof.ok) return proof;
  const { opened, told, warnings } = proof.value;
  await opened.session.stop();
  return granted({
    model: terminal.model,
    serialNumber: told.identity.serialNumber,
    firmware: opened.session.status().firmware ?? "unknown",
    warnings,
  });
}

interface ProvenAlone {
  readonly model: string;
  readonly serialNumber: string;
  readonly firmware: string;
  readonly warnings: readonly string[];
}

interface TestOn extends Pick<PairingPorts, "models" | "open" | "heldBy"> {
  readonly terminals: readonly TerminalSettings[];
}

/** Opens the terminal's line and identifies it; never a payment. */
async function testAtRest(id: string, { terminals, models, open, heldBy }: TestOn): Promise<Granted<TerminalEntry>> {
  const terminal = terminals.find((one) => one.id === id);
  if (terminal === undefined)
    return refused("unknown-terminal", `terminal "${id}" is no terminal of this bridge`, "fix-request", "terminal");
  const holder = heldBy(id);
  if (holder !== undefined) {
    return refused(
      "terminal-busy",
      `the payment with reference "${holder.reference}" was left on terminal ${id}: start the bridge, which ends it`,
      "retry",
    );
  }
  const opened = open(terminal, false);
  const proof = await proven(opened, terminal, {
    clock: systemClock,
    models,
    modelByIds: async () => undefined,
    stopped: new Promise(() => undefined),
  });
  if (!proof.ok) return proof;
  const { state, model, reason, serialNumber, firmware, connection } = opened.session.status();
  await opened.session.stop();
  return granted({
    ...{ id, model, state, connection, paired: false },
    ...(reason !== undefined && { reason }),
    ...(serialNumber !== undefined && { serialNumber }),
    ...(firmware !== undefined && { firmware }),
  });
}
