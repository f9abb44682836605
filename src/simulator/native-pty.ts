import { z } from "zod";
import { load } from "./pty-addon.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/** The native part of @lydell/node-pty: of its calls, the one that opens a pair. */
const nativeSchema = z.object({
  open: z.function({ input: [z.int(), z.int()], output: z.object({ master: z.int(), slave: z.int(), pty: z.string() }) }),
});

/** A fresh pair: file descriptors of both sides, and the slave's path. */
export interface PtyPair {
  readonly master: number;
  readonly slave: number;
  readonly path: string;
}

/**
 * The package's own JavaScript is left out: its `open()` reads the slave side itself and so takes away bytes that are meant for the host. Throws a SimulatorProblem
 * where the package has no native part for this machine.
 */
export function openPty(): PtyPair {
  // Columns and rows mean nothing to a line of bytes, but the call wants them.
  const { master, slave, pty } = nativeSchema.parse(loadForThisMachine()).open(80, 25);
  return { master, slave, path: pty };
}

function loadForThisMachine(): unknown {
  try {
    return load();
  } catch (cause) {
    throw new SimulatorProblem(`no pseudo-terminals on ${process.platform} ${process.arch}: use TCP instead`, { cause });
  }
}
