import { portName } from "../kit/port-name.ts";
import type { Configuration, Connection, TerminalSettings } from "./configuration.ts";
import { isPaired, isSameDevice, type PairedBook, type ReplacedTerminal, type WrittenDevice } from "./paired-book.ts";
import type { Finding, Path } from "./problem.ts";
import type { TerminalSurroundings } from "./rule.ts";
import { settleTerminal } from "./settle-terminal.ts";
import { terminalRules } from "./terminal-rules.ts";
import { MAX_TERMINALS, type WrittenTerminal } from "./terminal-schema.ts";

/** A problem of the data folder's terminals that prevents the start: `message` names the fix. */
export interface TerminalFinding {
  readonly terminal: string;
  /** Relative to the terminal, such as `connection.serial`. */
  readonly path: Path;
  readonly message: string;
}

/**
 * A configuration combined with the data folder's terminals; `outdated`: replacements ignored because the file was
 * edited since.
 */
export type Equipped =
  | { readonly ok: true; readonly configuration: Configuration; readonly outdated: readonly ReplacedTerminal[] }
  | { readonly ok: false; readonly findings: readonly TerminalFinding[] };

/**
 * The configuration with the terminals of the data folder. The rules hold for all together: no two share a device, and
 * live refuses simulators.
 */
export function equip(file: Configuration, book: PairedBook, around: TerminalSurroundings): Equipped {
  const outdated = book.replaced.filter((entry) => isOutdated(file, entry));
  const configured = file.terminals.map((terminal) => {
    const entry = book.replaced.find(({ id }) => id === terminal.id);
    return entry === undefined || outdated.includes(entry) ? terminal : replaced(terminal, entry.now);
  });
  const twice = file.terminals.flatMap(({ id }): readonly TerminalFinding[] =>
    isPaired(book, id) ? [{ terminal: id, path: ["id"], message: TWICE(id) }] : [],
  );
  if (twice.length > 0) return { ok: false, findings: twice };
  const written = [...configured.map(writtenTerminal), ...book.paired.map(({ terminal }) => terminal)];
  const findings = [
    ...tooMany(written),
    ...book.paired.flatMap(({ terminal }) => relativePath(terminal)),
    ...ruleFindings(file, written, around),
  ];
  if (findings.length > 0) return { ok: false, findings };
  const paired = book.paired.map(({ terminal }) => settleTerminal(terminal, file.gateway, (path) => path));
  return { ok: true, configuration: { ...file, terminals: [...configured, ...paired] }, outdated };
}

const TWICE = (id: string): string =>
  `is in the configuration file and paired in the data folder; remove it from the file, or from the data folder: posbridge terminals unpair ${id} --config FILE`;

function isOutdated({ terminals }: Configuration, { id, fileSays, now }: ReplacedTerminal): boolean {
  const terminal = terminals.find((one) => one.id === id);
  if (terminal === undefined) return true;
  const says = deviceOf(writtenTerminal(terminal));
  return !isSameDevice(says, fileSays) && !isSameDevice(says, now);
}

function replaced(terminal: TerminalSettings, device: WrittenDevice): TerminalSettings {
  const { deviceType: _type, deviceId: _id, ...rest } = terminal;
  const { model, connection, options, terminalId, deviceType, deviceId } = settleTerminal(
    { id: terminal.id, ...device },
    CHANNEL(terminal),
    (path) => path,
  );
  return {
    ...rest,
    model,
    connection,
    options,
    terminalId,
    ...(deviceType !== undefined && { deviceType }),
    ...(deviceId !== undefined && { deviceId }),
  };
}

const CHANNEL = ({ entityId, settlement, settlementByBrand }: TerminalSettings) => ({
  entityId,
  settlement,
  settlementByBrand,
});

function tooMany(written: readonly WrittenTerminal[]): readonly TerminalFinding[] {
  const first = written[MAX_TERMINALS];
  return first === undefined
    ? []
    : [
        {
          terminal: first.id,
          path: ["id"],
          message: `is one more than ${MAX_TERMINALS} terminals; run a second bridge`,
        },
      ];
}

/** A relative path depends on the working folder, which the data folder does not store. */
function relativePath({ id, connection: { serial } }: WrittenTerminal): readonly TerminalFinding[] {
  if (serial === undefined || portName(serial) !== undefined || /^(?:\/|[A-Za-z]:[\\/]|\\\\)/i.test(serial)) return [];
  return [
    {
      terminal: id,
      path: ["connection", "serial"],
      message:
        "must be an absolute path, for example /dev/serial/by-id/..., or a port of Windows such as COM5; change it",
    },
  ];
}

function ruleFindings(
  { environment }: Configuration,
  written: readonly WrittenTerminal[],
  around: TerminalSurroundings,
): readonly TerminalFinding[] {
  const named = (text: string): string =>
    text.replace(/terminals\[([0-9]+)\]/g, (whole, at: string) => `terminal ${written[Number(at)]?.id ?? whole}`);
  const found = terminalRules.flatMap((rule) => rule({ environment, terminals: written }, around, (path) => path));
  return found.flatMap(({ path: [, at, ...path], message }: Finding) => {
    const terminal = typeof at === "number" ? written[at] : undefined;
    return terminal === undefined ? [] : [{ terminal: terminal.id, path, message: named(message) }];
  });
}

/** The terminal in its written form. */
export function writtenTerminal({ connection, location, ...terminal }: TerminalSettings): WrittenTerminal {
  return {
    ...terminal,
    options: { ...terminal.options },
    connection: writtenConnection(connection),
    ...(location && { location: { ...location } }),
  };
}

export function deviceOf({
  model,
  connection,
  options,
  terminalId,
  deviceType,
  deviceId,
}: WrittenTerminal): WrittenDevice {
  return {
    ...{ model, connection, options, terminalId },
    ...(deviceType !== undefined && { deviceType }),
    ...(deviceId !== undefined && { deviceId }),
  };
}

function writtenConnection(connection: Connection): WrittenTerminal["connection"] {
  switch (connection.kind) {
    case "serial":
      return { serial: connection.path };
    case "tcp":
      return { tcp: addressOf(connection) };
    case "websocket":
      return { websocket: addressOf(connection) };
    case "usb": {
      const { vendorId, productId, serialNumber } = connection;
      return { usb: { vendorId, productId, ...(serialNumber !== undefined && { serialNumber }) } };
    }
  }
}

function addressOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
