import { z } from "zod";
import { pathText } from "./problem.ts";
import { labelSchema, terminalSchema } from "./terminal-schema.ts";

/*
 * Terminals stored in the data folder: paired ones, replaced devices of configured ones, and labels. Every function
 * returns a new book.
 */

/** The author and the time (ISO 8601 UTC). */
const word = { at: z.string(), by: z.string() };
/** The part of a terminal that changes with its device. */
export const deviceSchema = terminalSchema.pick({
  model: true,
  connection: true,
  options: true,
  terminalId: true,
  deviceType: true,
  deviceId: true,
});
const pairedSchema = z.strictObject({ ...word, terminal: terminalSchema });
/** `fileSays`: the configuration file's device at the time. If the file differs now, it was edited since. */
const replacedSchema = z.strictObject({
  ...word,
  id: terminalSchema.shape.id,
  fileSays: deviceSchema,
  now: deviceSchema,
});
const changeSchema = z.strictObject({
  ...word,
  did: z.enum(["paired", "renamed", "replaced", "unpaired"]),
  terminal: z.string(),
  serialNumber: z.string().optional(),
});

const bookSchema = z.strictObject({
  version: z.literal(1, "is of another version; run the posbridge that wrote it"),
  paired: z.array(pairedSchema),
  replaced: z.array(replacedSchema),
  labels: z.record(terminalSchema.shape.id, labelSchema),
  changes: z.array(changeSchema),
});

export type PairedBook = z.infer<typeof bookSchema>;
export type PairedTerminal = z.infer<typeof pairedSchema>;
export type ReplacedTerminal = z.infer<typeof replacedSchema>;
export type TerminalChange = z.infer<typeof changeSchema>;
export type WrittenDevice = z.infer<typeof deviceSchema>;

export const EMPTY_BOOK: PairedBook = { version: 1, paired: [], replaced: [], labels: {}, changes: [] };

/** Changes that are kept, the newest last. */
const MOST_CHANGES = 500;

export type BookReading =
  | { readonly ok: true; readonly book: PairedBook }
  | { readonly ok: false; readonly problem: string };

/** Parses the file's book, or returns its first problem. */
export function parsePairedBook(text: string): BookReading {
  const value = parseJson(text);
  if (value === undefined) return { ok: false, problem: "it is no JSON" };
  const parsed = bookSchema.safeParse(value);
  if (parsed.success) return { ok: true, book: parsed.data };
  const [issue] = parsed.error.issues;
  const path = pathText(issue?.path.filter((part) => typeof part !== "symbol") ?? []);
  return { ok: false, problem: `${path === "" ? "" : `${path} `}${issue?.message ?? "is not what was written"}` };
}

export function pairedBookText(book: PairedBook): string {
  return `${JSON.stringify(book, undefined, 2)}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON itself has no such value.
    return undefined;
  }
}

export function isPaired({ paired }: Pick<PairedBook, "paired">, id: string): boolean {
  return paired.some(({ terminal }) => terminal.id === id);
}

export function withPaired(book: PairedBook, entry: PairedTerminal): PairedBook {
  return { ...book, paired: [...book.paired.filter(({ terminal }) => terminal.id !== entry.terminal.id), entry] };
}

export function withoutPaired(book: PairedBook, id: string): PairedBook {
  return { ...withLabel(book, id, undefined), paired: book.paired.filter(({ terminal }) => terminal.id !== id) };
}

/** Replaces the device of a paired terminal, which keeps its id and its place in the list. */
export function withDevice(book: PairedBook, id: string, device: WrittenDevice): PairedBook {
  const paired = book.paired.map((entry) =>
    entry.terminal.id === id ? { ...entry, terminal: { ...withoutDevice(entry.terminal), ...device } } : entry,
  );
  return { ...book, paired };
}

function withoutDevice({
  deviceType: _type,
  deviceId: _id,
  ...terminal
}: PairedTerminal["terminal"]): PairedTerminal["terminal"] {
  return terminal;
}

/** Replaces the device of a configured terminal. If the file already names the new device, no entry is needed. */
export function withReplaced(book: PairedBook, entry: ReplacedTerminal): PairedBook {
  const others = book.replaced.filter(({ id }) => id !== entry.id);
  return { ...book, replaced: isSameDevice(entry.fileSays, entry.now) ? others : [...others, entry] };
}

/** An undefined label removes it. */
export function withLabel(book: PairedBook, id: string, label: string | undefined): PairedBook {
  const { [id]: _, ...others } = book.labels;
  return { ...book, labels: label === undefined ? others : { ...others, [id]: label } };
}

export function withChange(book: PairedBook, change: TerminalChange): PairedBook {
  return { ...book, changes: [...book.changes, change].slice(-MOST_CHANGES) };
}

export function isSameDevice(a: WrittenDevice, b: WrittenDevice): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered({
  model,
  connection: { serial, tcp, websocket, usb },
  options,
  terminalId,
  deviceType,
  deviceId,
}: WrittenDevice): object {
  const { vendorId, productId, serialNumber } = usb ?? {};
  const sorted = Object.entries(options).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    model,
    serial,
    tcp,
    websocket,
    vendorId,
    productId,
    serialNumber,
    sorted,
    terminalId,
    deviceType,
    deviceId,
  ].map((part) => part ?? null);
}
