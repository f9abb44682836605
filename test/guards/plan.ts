import { z } from "zod";

/** A run's task for the worker. */
export const planSchema = z.strictObject({
  /** Counts the runs: a worker may outlive one. */
  run: z.int(),
  /** The file that the worker appends its lines to. */
  log: z.string(),
  /** Guards that no test has noticed so far, by number. */
  open: z.array(z.int()).readonly(),
  /** Slower tests are put off. */
  limitMs: z.number(),
  /** Tests whose guards are tried; all unless given. */
  tests: z.array(z.string()).readonly().optional(),
  /** Switched off from the beginning to the end, instead of guard by guard in each test. */
  off: z.int().optional(),
});
export type Plan = z.infer<typeof planSchema>;

/** A line of the worker. */
export const lineSchema = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("begun"), pid: z.int() }),
  z.strictObject({ is: z.literal("trying"), guard: z.int(), test: z.string() }),
  z.strictObject({ is: z.literal("tried"), guard: z.int() }),
  z.strictObject({ is: z.literal("noticed"), guard: z.int(), test: z.string() }),
  z.strictObject({ is: z.literal("slow"), guards: z.array(z.int()).readonly(), file: z.string(), test: z.string() }),
  /** Cannot be tried test by test: the file has to run as a whole. */
  z.strictObject({ is: z.literal("whole"), guards: z.array(z.int()).readonly(), file: z.string() }),
]);
export type Line = z.infer<typeof lineSchema>;
