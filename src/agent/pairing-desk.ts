import type { Configuration, TerminalSettings } from "../config/configuration.ts";
import type { PairedBook, TerminalChange } from "../config/paired-book.ts";
import type { TerminalSurroundings } from "../config/rule.ts";
import type { KnownTerminals } from "../journal/known-terminals.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../observe/log.ts";
import { granted, type PaymentName, type Refusal, refused } from "../payment/request.ts";
import type { Checked } from "../register/ports.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { TerminalSet } from "../terminal/terminals.ts";
import type { Plugged } from "../transport/devices.ts";
import { isDeviceOf, matchingOf } from "./devices.ts";
import { type Proven, proven } from "./pairing-proof.ts";
import type { OpenTerminal } from "./terminals.ts";

/** The stored book of paired terminals. */
export interface PairedStore {
  book(): PairedBook;
  /** Durable on return; unchanged if it throws. */
  keep(book: PairedBook): void;
}

export interface PairingPorts {
  /** The configuration file alone. */
  readonly file: Configuration;
  /** Combined with the data folder's terminals. */
  readonly equipped: Configuration;
  readonly opened: ReadonlyMap<string, OpenTerminal>;
  readonly models: readonly DriverModel[];
  readonly around: TerminalSurroundings;
  readonly store: PairedStore;
  readonly known: KnownTerminals;
  readonly terminals: Pick<TerminalSet, "status" | "put" | "suspend" | "remove">;
  /** `isNew`: any device that answers is accepted. */
  readonly open: (terminal: TerminalSettings, isNew: boolean) => OpenTerminal;
  /** The payment that holds the terminal, or still needs it. */
  readonly heldBy: (terminal: string) => PaymentName | undefined;
  /** Gets the new set of terminals. */
  readonly changed: (configuration: Configuration) => void;
  readonly audit: (change: TerminalChange) => void;
  readonly look: () => Promise<Plugged>;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

/** The ports, with the changes since the start. */
export interface Desk extends PairingPorts {
  file: Configuration;
  equipped: Configuration;
  readonly opened: Map<string, OpenTerminal>;
  readonly stopped: PromiseWithResolvers<void>;
}

/** Opens a session for a new device, which must identify itself and belong to no other terminal. */
export async function proveNew(desk: Desk, settings: TerminalSettings): Promise<Checked<Proven>> {
  const { clock, models, stopped } = desk;
  const modelByIds = async (): Promise<string | undefined> => {
    const { devices } = await desk.look();
    const device = devices.find((one) => isDeviceOf(one, { terminal: settings, place: {} }, desk.around.followed));
    return device && matchingOf(device, models).model;
  };
  const proof = await proven(desk.open(settings, true), settings, {
    clock,
    models,
    modelByIds,
    stopped: stopped.promise,
  });
  if (!proof.ok) return proof;
  const { serialNumber } = proof.value.told.identity;
  const other = desk.equipped.terminals.find(
    ({ id }) => id !== settings.id && desk.known.serialNumber(id) === serialNumber,
  );
  if (other === undefined) return proof;
  await proof.value.opened.session.stop();
  return refused(
    "not-allowed",
    `the device with serial number ${serialNumber} is terminal ${other.id} already: unpair that first, or connect another device`,
    "fix-request",
    "connection",
  );
}

export async function keepOrStop({ opened }: Proven, write: () => void): Promise<Checked<undefined>> {
  const kept = keeping(write);
  if (!kept.ok) await opened.session.stop();
  return kept;
}

/** A change that cannot be written is not made. */
export function keeping(write: () => void): Checked<undefined> {
  try {
    write();
    return granted(undefined);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const refusal: Refusal = {
      code: "journal-unwritable",
      message: `the data folder cannot be written, so nothing was changed: ${why}; make room there, then try again`,
      advice: "retry",
    };
    return { ok: false, refusal };
  }
}

export function rememberDevice({ known, log }: Desk, terminal: string, { told: { identity }, opened }: Proven): void {
  const { serialNumber, firmware, configuration } = identity;
  const { usb } = opened.place();
  try {
    known.remember(terminal, {
      ...{ serialNumber, firmware, configuration },
      ...(usb && {
        usb: {
          vendorId: usb.vendorId,
          productId: usb.productId,
          ...(usb.serialNumber !== undefined && { serialNumber: usb.serialNumber }),
        },
      }),
    });
  } catch (cause) {
    log.warn(
      { terminal, problem: cause instanceof Error ? cause.message : String(cause) },
      "the serial number could not be written into terminals.json; the next connection writes it",
    );
  }
}

export function serve(desk: Desk, id: string, { opened, heard }: Pick<Proven, "opened" | "heard">): void {
  opened.serve();
  desk.opened.set(id, opened);
  desk.terminals.put(opened.session, heard);
}

/** Serves the previous device again, unchanged. */
export function serveAgain(desk: Desk, before: TerminalSettings): void {
  // Without a running bridge, nothing was in service.
  if (desk.terminals.status(before.id) === undefined) return;
  const opened = desk.open(before, false);
  serve(desk, before.id, { opened, heard: [] });
  opened.session.start();
}

export function settle(desk: Desk, configuration: Configuration, change: TerminalChange): void {
  desk.equipped = configuration;
  desk.changed(configuration);
  desk.audit(change);
}
