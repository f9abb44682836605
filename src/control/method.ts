import { z } from "zod";

export interface ControlMethod<N extends string, P extends z.ZodType, R extends z.ZodType> {
  readonly name: N;
  readonly params: P;
  readonly result: R;
  /** Time limit for the answer. */
  readonly answerMs: number;
}

const ANSWER_MS = 10_000;

export function method<N extends string, P extends z.ZodType, R extends z.ZodType>(
  name: N,
  params: P,
  result: R,
  answerMs = ANSWER_MS,
): ControlMethod<N, P, R> {
  return { name, params, result, answerMs };
}

/** The user of this machine who asks, for the audit. */
export const asking = { by: z.string() };
