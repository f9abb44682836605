import type { Figures } from "./figures.ts";
import { type OpenFor, OVERDUE_MS, states } from "./open-payment.ts";

/** Figures that are read at each scrape. */
export interface MetricsSources {
  readonly version: string;
  readonly environment: "test" | "live";
  terminals(): readonly { readonly id: string; readonly model: string; readonly state: string }[];
  registerSockets(): number;
  /** Lines of the log that could not be written. */
  logLinesLost(): number;
}

/** Bytes of the journal's files and their disk; absent: unknown at present. */
export interface StorageSizes {
  readonly journal?: number | undefined;
  readonly wal?: number | undefined;
  readonly diskFree?: number | undefined;
  readonly disk?: number | undefined;
}

/** A certificate of the configuration and the end of its validity, epoch milliseconds. */
export interface WatchedCertificate {
  readonly certificate: "listen" | "webhooks" | "gateway-client";
  readonly validTo: number;
}

/** Figures shown once their source is known; each method is called once. */
export interface Watches {
  /** Open payments, their states and ages. */
  watchOpen(open: () => readonly OpenFor[]): void;
  /** Whether an unconfirmed rollback of the data folder exists. */
  watchRollback(isOpen: () => boolean): void;
  /** Late queries that are due. `waiting`: the delay of each in milliseconds. */
  watchLooks(waiting: () => readonly number[]): void;
  /** The journal's files and their disk; read at each scrape. */
  watchStorage(sizes: () => StorageSizes): void;
  watchCertificates(certificates: () => readonly WatchedCertificate[]): void;
}

const terminalStates = ["ready", "busy", "offline", "out-of-service"] as const;

export function describeNow(
  { gauge, counted }: Figures,
  { version, environment, terminals, registerSockets, logLinesLost }: MetricsSources,
): void {
  gauge("posbridge_info", "Always 1", ["version", "environment"], () => [
    { labels: { version, environment }, value: 1 },
  ]);
  gauge("posbridge_register_sockets", "Register sockets that are open", [], () => [{ value: registerSockets() }]);
  counted("posbridge_log_lines_lost_total", "Lines of the log that could not be written", logLinesLost);
  gauge(
    "posbridge_terminal_state",
    "1 for the state a terminal is in, 0 for the others",
    ["terminal", "model", "state"],
    () =>
      terminals().flatMap(({ id, model, state }) =>
        terminalStates.map((each) => ({ labels: { terminal: id, model, state: each }, value: each === state ? 1 : 0 })),
      ),
  );
}

export function watches(figures: Figures): Watches {
  const { gauge } = figures;
  return {
    watchOpen: (open) => describeOpen(figures, open),
    watchRollback: (isOpen) =>
      gauge(
        "posbridge_data_folder_rolled_back",
        "1 while nothing is accepted because the data folder was put back to an earlier moment, 0 otherwise",
        [],
        () => [{ value: isOpen() ? 1 : 0 }],
      ),
    watchLooks: (waiting) => {
      gauge(
        "posbridge_looks_due",
        "Final payments whose turn has come to be looked at once more, in case something was booked late",
        [],
        () => [{ value: waiting().length }],
      );
      gauge(
        "posbridge_oldest_look_due_seconds",
        "How long the oldest of these has waited for the gateway's few queries; 0 where none has",
        [],
        () => [{ value: Math.max(0, ...waiting()) / 1000 }],
      );
    },
    watchStorage: (sizes) => describeStorage(figures, sizes),
    watchCertificates: (certificates) =>
      gauge(
        "posbridge_certificate_expiry_timestamp_seconds",
        "Until when a certificate of the configuration is valid, in Unix time",
        ["certificate"],
        () => certificates().map(({ certificate, validTo }) => ({ labels: { certificate }, value: validTo / 1000 })),
      ),
  };
}

function describeStorage({ gauge }: Figures, sizes: () => StorageSizes): void {
  const sample = (value: number | undefined, labels = {}) => (value === undefined ? [] : [{ labels, value }]);
  gauge(
    "posbridge_journal_file_bytes",
    "Bytes of the journal's files: the database and its write-ahead log",
    ["file"],
    () => {
      const { journal, wal } = sizes();
      return [...sample(journal, { file: "journal" }), ...sample(wal, { file: "wal" })];
    },
  );
  gauge("posbridge_disk_free_bytes", "Bytes that are free for the bridge's user on the data folder's disk", [], () =>
    sample(sizes().diskFree),
  );
  gauge("posbridge_disk_size_bytes", "Bytes of the data folder's disk", [], () => sample(sizes().disk));
}

function describeOpen({ gauge }: Figures, open: () => readonly OpenFor[]): void {
  gauge(
    "posbridge_payments_open",
    "Payments that are not final, or final with a capture or a reversal still owed",
    ["state"],
    () => {
      const payments = open();
      return states.map((state) => ({
        labels: { state },
        value: payments.filter((one) => one.state === state).length,
      }));
    },
  );
  gauge(
    "posbridge_payments_open_overdue",
    `Payments that have been open for ${OVERDUE_MS / 1000} seconds or more`,
    [],
    () => [{ value: open().filter(({ openMs }) => openMs >= OVERDUE_MS).length }],
  );
  gauge(
    "posbridge_oldest_open_payment_seconds",
    "How long the oldest open payment has been open; 0 where none is",
    [],
    () => [{ value: Math.max(0, ...open().map(({ openMs }) => openMs)) / 1000 }],
  );
}
