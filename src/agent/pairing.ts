import type { Configuration } from "../config/configuration.ts";
import { deviceOf, writtenTerminal } from "../config/equip.ts";
import {
  isPaired,
  isSameDevice,
  type PairedBook,
  type TerminalChange,
  type WrittenDevice,
  withChange,
  withDevice,
  withLabel,
  withoutPaired,
  withPaired,
  withReplaced,
} from "../config/paired-book.ts";
import { labelSchema } from "../config/terminal-schema.ts";
import { isoTime } from "../kit/clock.ts";
import { createTurns } from "../kit/turns.ts";
import { granted, type PaymentName, refused } from "../payment/request.ts";
import type { Checked, DeviceRequest, Pairing, PairRequest, ProvenDevice, TerminalNotes } from "../register/ports.ts";
import { deviceView, type TerminalInPlace } from "./devices.ts";
import {
  type Desk,
  keeping,
  keepOrStop,
  type PairingPorts,
  proveNew,
  rememberDevice,
  serve,
  serveAgain,
  settle,
} from "./pairing-desk.ts";
import { reloadTerminals, type TerminalsReloaded } from "./pairing-reload.ts";
import { deviceAfter, equippedWith, idProblem, leftOut, terminalOf } from "./pairing-request.ts";

export interface OpenPairing extends Pairing {
  /** Applies the terminals of a newly read file. */
  reload(wanted: { readonly file: Configuration; readonly dryRun: boolean }): Promise<TerminalsReloaded>;
  /** The effective configuration file. */
  file(): Configuration;
  /** Every terminal with the last place of its line. */
  inPlace(): readonly TerminalInPlace[];
  /** Aborts a running pairing. */
  stop(): void;
}

/** Adds, changes and removes terminals. One change at a time, because each is checked together with all terminals. */
export function createPairing(ports: PairingPorts): OpenPairing {
  const desk: Desk = { ...ports, opened: new Map(ports.opened), stopped: Promise.withResolvers<void>() };
  const turns = createTurns();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => turns("terminals", run);
  return {
    notes: (terminal) => notesOf(desk, terminal),
    models: () =>
      desk.models.map(({ id, title, lines, options }) => ({
        ...{ id, title, connections: lines.map(({ kind }) => kind) },
        options: options.map(({ name, meaning, usual }) => ({ name, meaning, usual })),
      })),
    scan: async () => {
      const { devices } = await desk.look();
      return devices.map((device) =>
        deviceView(device, { models: desk.models, terminals: inPlace(desk), followed: desk.around.followed }),
      );
    },
    pair: (by, request) => inTurn(() => pair(desk, by, request)),
    rename: (by, terminal, label) => inTurn(() => rename(desk, by, terminal, label)),
    replace: (by, terminal, request) => inTurn(() => replace(desk, by, terminal, request)),
    unpair: (by, terminal) => inTurn(() => unpair(desk, by, terminal)),
    reload: (wanted) => inTurn(() => reloadTerminals(desk, wanted)),
    file: () => desk.file,
    inPlace: () => inPlace(desk),
    stop: () => desk.stopped.resolve(),
  };
}

function notesOf({ store, file, equipped }: Desk, terminal: string): ReturnType<Pairing["notes"]> {
  return terminalNotes(store.book(), file, equipped, terminal);
}

/** The books' notes on a terminal. `equipped`: the effective configuration. */
export function terminalNotes(
  book: PairedBook,
  file: Configuration,
  equipped: Configuration,
  terminal: string,
): TerminalNotes {
  const { [terminal]: label } = book.labels;
  const [says, counts] = [file, equipped].map(({ terminals }) => terminals.find(({ id }) => id === terminal));
  const isReplaced =
    says !== undefined &&
    counts !== undefined &&
    !isSameDevice(deviceOf(writtenTerminal(says)), deviceOf(writtenTerminal(counts)));
  return {
    paired: isPaired(book, terminal),
    ...(label !== undefined && { label }),
    ...(isReplaced && { replaced: true as const }),
  };
}

function inPlace({ equipped, opened }: Desk): readonly TerminalInPlace[] {
  return equipped.terminals.map((terminal) => ({ terminal, place: opened.get(terminal.id)?.place() ?? {} }));
}

const NO_DEVICE = (terminal: string) =>
  refused("unknown-terminal", `terminal "${terminal}" is no terminal of this bridge`, "fix-request", "terminal");

function busy(terminal: string, holder: PaymentName): ReturnType<typeof refused> {
  return refused(
    "terminal-busy",
    `terminal ${terminal} is needed by the payment with reference "${holder.reference}": try again when that is over`,
    "retry",
    undefined,
    holder,
  );
}

async function pair(desk: Desk, by: string, request: PairRequest): Promise<Checked<ProvenDevice>> {
  const { file, store, known } = desk;
  const terminal = terminalOf(request);
  if (!terminal.ok) return terminal;
  const label = request.label === undefined ? undefined : labelOf(request.label);
  if (label?.ok === false) return label;
  const { id } = terminal.value;
  const taken = idProblem(id, file, store.book());
  if (taken !== undefined) return refused("not-allowed", `id ${taken}`, "fix-request", "id");
  const at = isoTime(desk.clock.now());
  const paired = withPaired(store.book(), { at, by, terminal: terminal.value });
  const book = label === undefined ? paired : withLabel(paired, id, label.value);
  const next = equippedWith(file, book, id, desk.around);
  if (!next.ok) return next;
  const proof = await proveNew(desk, next.value.settings);
  if (!proof.ok) return proof;
  const { serialNumber } = proof.value.told.identity;
  const change: TerminalChange = { at, by, did: "paired", terminal: id, serialNumber };
  const kept = await keepOrStop(proof.value, () => {
    rememberDevice(desk, id, proof.value);
    store.keep(withChange(book, change));
  });
  if (!kept.ok) {
    keeping(() => known.forget(id));
    return kept;
  }
  serve(desk, id, proof.value);
  settle(desk, next.value.configuration, change);
  return granted({ serialNumber, warnings: proof.value.warnings });
}

async function replace(desk: Desk, by: string, id: string, request: DeviceRequest): Promise<Checked<ProvenDevice>> {
  const { file, store, terminals, equipped } = desk;
  const before = equipped.terminals.find((one) => one.id === id);
  if (before === undefined) return NO_DEVICE(id);
  const device = deviceAfter(before, request);
  if (!device.ok) return device;
  const at = isoTime(desk.clock.now());
  const book = replacedIn(desk, { at, by, id }, device.value);
  const next = equippedWith(file, book, id, desk.around);
  if (!next.ok) return next;
  const holder = desk.heldBy(id);
  if (holder !== undefined) return busy(id, holder);
  await terminals.suspend(id, "it is being replaced by another device");
  const proof = await proveNew(desk, next.value.settings);
  if (!proof.ok) {
    serveAgain(desk, before);
    return proof;
  }
  const { serialNumber } = proof.value.told.identity;
  const change: TerminalChange = { at, by, did: "replaced", terminal: id, serialNumber };
  const kept = await keepOrStop(proof.value, () => store.keep(withChange(book, change)));
  if (!kept.ok) {
    serveAgain(desk, before);
    return kept;
  }
  // A power cut before this line leaves the old serial number. The next start then refuses the new device and names the
  // command that accepts it.
  rememberDevice(desk, id, proof.value);
  serve(desk, id, proof.value);
  settle(desk, next.value.configuration, change);
  return granted({ serialNumber, warnings: [...proof.value.warnings, ...leftOut(before, device.value)] });
}

function replacedIn(
  { file, store }: Desk,
  { at, by, id }: Pick<TerminalChange, "at" | "by"> & { readonly id: string },
  now: WrittenDevice,
): PairedBook {
  const configured = file.terminals.find((one) => one.id === id);
  return configured === undefined
    ? withDevice(store.book(), id, now)
    : withReplaced(store.book(), { at, by, id, fileSays: deviceOf(writtenTerminal(configured)), now });
}

async function rename(desk: Desk, by: string, terminal: string, text: string): ReturnType<Pairing["rename"]> {
  const { store, equipped } = desk;
  if (!equipped.terminals.some(({ id }) => id === terminal)) return NO_DEVICE(terminal);
  const label = text === "" ? undefined : labelOf(text);
  if (label?.ok === false) return label;
  const change: TerminalChange = { at: isoTime(desk.clock.now()), by, did: "renamed", terminal };
  const kept = keeping(() => store.keep(withChange(withLabel(store.book(), terminal, label?.value), change)));
  if (!kept.ok) return kept;
  desk.audit(change);
  return granted(notesOf(desk, terminal));
}

function labelOf(text: string): Checked<string> {
  const read = labelSchema.safeParse(text);
  return read.success
    ? granted(read.data)
    : { ok: false, invalid: { path: "label", message: read.error.issues[0]?.message ?? "is not valid" } };
}

async function unpair(desk: Desk, by: string, terminal: string): ReturnType<Pairing["unpair"]> {
  const { file, store, equipped } = desk;
  if (!isPaired(store.book(), terminal)) {
    if (!equipped.terminals.some(({ id }) => id === terminal)) return NO_DEVICE(terminal);
    return refused(
      "not-allowed",
      `terminal ${terminal} is one of the configuration file: remove it from ${file.file}, and start the bridge anew`,
      "fix-config",
      "terminal",
    );
  }
  const holder = desk.heldBy(terminal);
  if (holder !== undefined) return busy(terminal, holder);
  const change: TerminalChange = { at: isoTime(desk.clock.now()), by, did: "unpaired", terminal };
  const kept = keeping(() => {
    store.keep(withChange(withoutPaired(store.book(), terminal), change));
    desk.known.forget(terminal);
  });
  if (!kept.ok) return kept;
  desk.opened.delete(terminal);
  const closed = desk.terminals.remove(terminal);
  settle(desk, { ...equipped, terminals: equipped.terminals.filter(({ id }) => id !== terminal) }, change);
  await closed;
  return granted({});
}
