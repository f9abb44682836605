import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  createMemory,
  emptyMemoryImage,
  type Memory,
  type MemoryImage,
  memoryImageSchema,
} from "../../packages/sandbox/testbed/memory.ts";
import { whileHeld } from "../kit/held-file.ts";
import { systemHold } from "../kit/system-held-file.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/**
 * A memory kept in a file, rewritten after every change. Throws a SimulatorProblem if the file is unreadable or holds
 * other data.
 */
export function fileMemory(path: string): Memory {
  mkdirSync(dirname(path), { recursive: true });
  return createMemory(read(path), { changed: (image) => write(path, image) });
}

function read(path: string): MemoryImage {
  const text = textOf(path);
  if (text === undefined) return emptyMemoryImage;
  const parsed = memoryImageSchema.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new SimulatorProblem(`${path} is not a simulator's state: choose another file, or remove it`);
  return parsed.data;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new SimulatorProblem(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Written to a temporary file and renamed, so that a crash leaves old or new counters, never a mixture. */
function write(path: string, image: MemoryImage): void {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(image)}\n`);
  whileHeld(systemHold, () => renameSync(fresh, path));
}
