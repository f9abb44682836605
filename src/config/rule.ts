import { resolve as absolute } from "node:path";
import { z } from "zod";
import { portName } from "../kit/port-name.ts";
import type { Finding } from "./problem.ts";
import type { Surroundings } from "./surroundings.ts";

/*
 * A rule reads its own slice of the file. It is silent if the slice has a wrong type, which the schema reports: one
 * mistake must not hide the next.
 */

/** Makes a path of the file absolute. */
export type Resolve = (path: string) => string;
export type Rule = (raw: unknown, around: Surroundings, resolve: Resolve) => readonly Finding[];
/** The surroundings that rules about terminals need. */
export type TerminalSurroundings = Pick<Surroundings, "models" | "followed">;
export type TerminalRule = (raw: unknown, around: TerminalSurroundings, resolve: Resolve) => readonly Finding[];

export function rule<T>(
  slice: z.ZodType<T>,
  check: (value: T, around: Surroundings, resolve: Resolve) => readonly Finding[],
): Rule {
  return (raw, around, resolve) => {
    const seen = slice.safeParse(raw);
    return seen.success ? check(seen.data, around, resolve) : [];
  };
}

const terminals = z.object({ terminals: z.array(z.unknown()) });

/** A rule about one terminal at a time. */
export function eachTerminal<T>(
  slice: z.ZodType<T>,
  check: (value: T, at: number, around: TerminalSurroundings, resolve: Resolve) => readonly Finding[],
): TerminalRule {
  return (raw, around, resolve) => {
    const file = terminals.safeParse(raw);
    if (!file.success) return [];
    return file.data.terminals.flatMap((terminal, at) => {
      const seen = slice.safeParse(terminal);
      return seen.success ? check(seen.data, at, around, resolve) : [];
    });
  };
}

/** Paths are relative to the folder of this file; names of serial ports on Windows are no paths. */
export function relativeTo(folder: string): Resolve {
  return (path) => portName(path) ?? absolute(folder, path);
}
