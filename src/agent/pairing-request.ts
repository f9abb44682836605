import type { z } from "zod";
import type { Configuration, TerminalSettings } from "../config/configuration.ts";
import { deviceOf, equip, type TerminalFinding, writtenTerminal } from "../config/equip.ts";
import { deviceSchema, isPaired, type PairedBook, type WrittenDevice } from "../config/paired-book.ts";
import { pathText } from "../config/problem.ts";
import type { TerminalSurroundings } from "../config/rule.ts";
import { terminalSchema, type WrittenTerminal } from "../config/terminal-schema.ts";
import { granted } from "../payment/request.ts";
import type { Checked, DeviceRequest, PairRequest } from "../register/ports.ts";

/** Parses a requested terminal by the configuration's schema. */
export function terminalOf({ label: _label, ...request }: PairRequest): Checked<WrittenTerminal> {
  return parsed(terminalSchema, request);
}

/**
 * The device after a replacement. Settings of one device (deviceId) or one model (options, deviceType) must be given
 * anew.
 */
export function deviceAfter(terminal: TerminalSettings, request: DeviceRequest): Checked<WrittenDevice> {
  const before = deviceOf(writtenTerminal(terminal));
  const { model = before.model, connection = before.connection, terminalId = before.terminalId, deviceId } = request;
  const isSameModel = model === before.model;
  const options = request.options ?? (isSameModel ? before.options : {});
  const deviceType = request.deviceType ?? (isSameModel ? before.deviceType : undefined);
  // Without a deviceType, or with another model's, an acquirer cannot decrypt the card data.
  if (before.deviceType !== undefined && deviceType === undefined) {
    return {
      ok: false,
      invalid: {
        path: "deviceType",
        message: `is missing: ${before.deviceType} was the ${before.model}'s; say the ${model}'s, as the acquirer names it`,
      },
    };
  }
  return parsed(deviceSchema, {
    model,
    connection,
    terminalId,
    options,
    ...(deviceType !== undefined && { deviceType }),
    ...(deviceId !== undefined && { deviceId }),
  });
}

/** Reports an id that the acquirer no longer gets because the new device has none. */
export function leftOut({ deviceId: before }: TerminalSettings, { deviceId }: WrittenDevice): readonly string[] {
  if (before === undefined || deviceId !== undefined) return [];
  return [
    `deviceId ${before} was the device's before, and the acquirer is told none now: replace it again with the new one where the acquirer wants it`,
  ];
}

function parsed<T extends z.ZodType>(schema: T, value: unknown): Checked<z.output<T>> {
  const read = schema.safeParse(value);
  if (read.success) return granted(read.data);
  const [issue] = read.error.issues;
  const keys = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = pathText([...(issue?.path.filter((part) => typeof part !== "symbol") ?? []), ...keys]);
  if (keys.length > 0) return { ok: false, invalid: { path, message: "is not a known field" } };
  if (issue?.code === "invalid_type" && issue.input === undefined)
    return { ok: false, invalid: { path, message: "is missing" } };
  return { ok: false, invalid: { path, message: issue?.message ?? "is not valid" } };
}

/** The configuration with that book, or the terminal's first problem. */
export function equippedWith(
  file: Configuration,
  book: PairedBook,
  terminal: string,
  around: TerminalSurroundings,
): Checked<EquippedWith> {
  const equipped = equip(file, book, around);
  if (!equipped.ok) {
    const [first] = [...equipped.findings.filter((finding) => finding.terminal === terminal), ...equipped.findings];
    return {
      ok: false,
      invalid: first === undefined ? { path: "", message: "is not valid" } : asInvalid(first, terminal),
    };
  }
  const settings = equipped.configuration.terminals.find(({ id }) => id === terminal);
  if (settings === undefined)
    return { ok: false, invalid: { path: "terminal", message: "is no terminal of this bridge" } };
  return granted({ configuration: equipped.configuration, settings });
}

interface EquippedWith {
  readonly configuration: Configuration;
  readonly settings: TerminalSettings;
}

function asInvalid(
  { terminal: id, path, message }: TerminalFinding,
  asked: string,
): { readonly path: string; readonly message: string } {
  return id === asked
    ? { path: pathText(path), message }
    : { path: "connection", message: `and that of terminal ${id}: ${pathText(path)} ${message}` };
}

/** Why an id cannot be paired; undefined: it can. */
export function idProblem(id: string, file: Configuration, book: PairedBook): string | undefined {
  if (file.terminals.some((terminal) => terminal.id === id))
    return `is a terminal of the configuration file ${file.file} already: choose another id, or replace that terminal`;
  if (isPaired(book, id)) return "is paired already: choose another id, or replace that terminal";
  return undefined;
}
