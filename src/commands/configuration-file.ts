import type { Configuration } from "../config/configuration.ts";
import type { Problem } from "../config/problem.ts";
import type { KnownModel } from "../config/surroundings.ts";
import { commandWord } from "../kit/shell-word.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { type Output, UsageProblem } from "./terminal-output.ts";

/**
 * The checked configuration of a file. Problems are printed with their lines and end the command with exit code 2.
 * `models`: all known ones.
 */
export async function requireConfiguration(
  file: string,
  models: readonly KnownModel[],
  output: Output,
): Promise<Configuration> {
  const { loadConfiguration } = await import("../config/load.ts");
  const reading = loadConfiguration(file, models, process.env);
  if (reading.ok) return reading.configuration;
  if (!(await exists(file))) throw new UsageProblem(absent(file));
  throw await refuseConfiguration(file, reading.problems, output);
}

async function exists(file: string): Promise<boolean> {
  const { existsSync } = await import("node:fs");
  return existsSync(file);
}

function absent(file: string): string {
  return `${file} does not exist; check the path, or write one: posbridge setup --config ${commandWord(file, systemPlatform)}`;
}

/** Prints each problem with its line and returns the error that ends the command. */
export async function refuseConfiguration(
  file: string,
  problems: readonly Problem[],
  output: Output,
): Promise<UsageProblem> {
  const { problemLines } = await import("../config/problem.ts");
  for (const line of problemLines(file, problems)) output.err(line);
  return new UsageProblem(refusal(file, problems.length));
}

export function refusal(file: string, count: number): string {
  return `${file} has ${count === 1 ? "a problem" : `${count} problems`}; mend ${count === 1 ? "it" : "them"}, then try: posbridge check-config ${commandWord(file, systemPlatform)}`;
}
