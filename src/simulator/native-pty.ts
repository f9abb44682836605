import { z } from "zod";
import { load } from "./pty-addon.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/** The native part of @lydell/node-pty; only the call that opens a pair. */
const nativeSchema = z.object({
  open: z.function({
    input: [z.int(), z.int()],
    output: z.object({ master: z.int(), slave: z.int(), pty: z.string() }),
  }),
});

/** A new pair: file descriptors of both sides, and the slave's path. */
export interface PtyPair {
  readonly master: number;
  readonly slave: number;
  readonly path: string;
}

/**
 * Bypasses the package's JavaScript, whose `open()` reads the slave side and so takes the host's bytes. Throws a
 * SimulatorProblem without a native part for this machine.
 */
export function openPty(): PtyPair {
  // Columns and rows are required but without effect here.
  const { master, slave, pty } = nativeSchema.parse(loadForThisMachine()).open(80, 25);
  return { master, slave, path: pty };
}

function loadForThisMachine(): unknown {
  try {
    return load();
  } catch (cause) {
    throw new SimulatorProblem(`no pseudo-terminals on ${process.platform} ${process.arch}: use TCP instead`, {
      cause,
    });
  }
}
