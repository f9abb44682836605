import type { Json, PaymentRow } from "../../../src/engine/ports.ts";
import { isoTime } from "../../../src/kit/clock.ts";

/** Facts of one payment that follow each other, and its row after them. */
export interface RecordedRun {
  readonly facts: readonly { readonly at: number; readonly fact: Json }[];
  readonly row: PaymentRow;
}

/** What replaces the recorded names, times and amounts. */
export interface Retold {
  readonly at: number;
  readonly amount: number;
  readonly register: string;
  readonly terminal: string;
  /** In the order of the story's payments. */
  readonly references: readonly string[];
  /** The first of `Story.attempts` numbers. */
  readonly sequenceNumber: number;
  /** New digits in the place of recorded ones: an identifier, a cryptogram. */
  digits(recorded: string): string;
}

interface StoryAppend {
  readonly facts: readonly Json[];
  readonly at: string;
  readonly row: PaymentRow;
}

/** Recorded payments that belong together: a sale, or a sale with its refund. */
export interface Story {
  readonly payments: number;
  readonly attempts: number;
  readonly lastsMs: number;
  retell(as: Retold): readonly StoryAppend[];
}

/** Members whose values no two payments share. */
const UNIQUE = new Set(["id", "merchantTransactionId", "fingerprint", "cryptogram", "authentication", "rrn"]);
/** Marks of a hole: they stand in no recorded text. */
const HOLE = /«([^»]+)»/;

/** Text between holes, and the names of holes, by turns. */
type Pieces = readonly string[];

export function storyOf(runs: readonly RecordedRun[]): Story {
  const [first] = runs;
  if (first === undefined) throw new RangeError("a story has payments");
  const began = Date.parse(first.row.createdAt);
  const rows = [...new Map(runs.map(({ row }) => [row.payment, row])).values()];
  const facts = runs.flatMap((run) => run.facts);
  const unique = [...uniqueIn(facts.map(({ fact }) => fact))];
  const references = rows.map(({ reference }) => reference);
  const sequence = facts.flatMap(({ fact }) => sequenceNumbersOf(fact));
  const firstSequence = Math.min(...sequence);
  const amount = first.row.amount;
  const exact = new Map<string, string>([
    [first.row.register, "register"],
    [first.row.terminal, "terminal"],
    ...references.map((reference, at): [string, string] => [reference, `reference ${at}`]),
  ]);
  const nameOf = (text: string): string => {
    const name = exact.get(text);
    if (name !== undefined) return `«${name}»`;
    const named = unique.reduce((rest, one, at) => rest.replaceAll(one, `«digits ${at}»`), text);
    return named.replaceAll(String(amount).padStart(12, "0"), "«amount12»");
  };
  const replace = (key: string, value: unknown): unknown => {
    if (typeof value === "string") return nameOf(value);
    if (typeof value !== "number") return value;
    if (key === "at") return `«number at ${value - began}»`;
    if (key === "sequenceNumber") return `«number sequence ${value - firstSequence}»`;
    return key === "amount" && value === amount ? "«number amount»" : value;
  };
  const piecesOf = (value: object | Json): Pieces =>
    JSON.stringify(value, replace)
      .replaceAll(/"(«number [^»]+»)"/g, "$1")
      .split(HOLE);
  const recorded = runs.map(({ facts: of, row }) => ({
    facts: of.map(({ fact }) => piecesOf(fact)),
    after: (of.at(-1)?.at ?? began) - began,
    row,
    born: Date.parse(row.createdAt) - began,
    nth: references.indexOf(row.reference),
  }));
  return {
    payments: rows.length,
    attempts: new Set(sequence).size,
    lastsMs: Math.max(...recorded.map(({ after }) => after)),
    retell: (as) => {
      const digits = unique.map(as.digits);
      const ids = new Map(unique.map((one, at) => [one, digits[at] ?? one]));
      const fill = (pieces: Pieces): Json => {
        const text = pieces.map((piece, at) => (at % 2 === 0 ? piece : filling(piece, as, digits))).join("");
        return JSON.parse(text);
      };
      return recorded.map(({ facts: of, after, row, born, nth }) => ({
        facts: of.map(fill),
        at: isoTime(as.at + after),
        row: {
          ...row,
          payment: ids.get(row.payment) ?? row.payment,
          register: as.register,
          terminal: as.terminal,
          reference: as.references[nth] ?? row.reference,
          amount: as.amount,
          createdAt: isoTime(as.at + born),
        },
      }));
    },
  };
}

function filling(hole: string, as: Retold, digits: readonly string[]): string {
  const [what = "", which = "", more = ""] = hole.split(" ");
  switch (what) {
    case "register":
      return as.register;
    case "terminal":
      return as.terminal;
    case "reference":
      return as.references[Number(which)] ?? "";
    case "digits":
      return digits[Number(which)] ?? "";
    case "amount12":
      return String(as.amount).padStart(12, "0");
    default:
      return String(numberOf(which, Number(more), as));
  }
}

function numberOf(which: string, added: number, as: Retold): number {
  switch (which) {
    case "at":
      return as.at + added;
    case "sequence":
      return as.sequenceNumber + added;
    default:
      return as.amount;
  }
}

function uniqueIn(facts: readonly Json[]): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (key: string, value: unknown): unknown => {
    if (UNIQUE.has(key) && typeof value === "string" && value.length >= 8) found.add(value);
    return value;
  };
  for (const fact of facts) JSON.stringify(fact, look);
  return found;
}

function sequenceNumbersOf(fact: Json): readonly number[] {
  const found: number[] = [];
  JSON.stringify(fact, (key, value: unknown) => {
    if (key === "sequenceNumber" && typeof value === "number") found.push(value);
    return value;
  });
  return found;
}
