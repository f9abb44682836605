import type { Evidence } from "./evidence.ts";

/**
 * One truth of contract.md, section 3, as something that can be seen to be broken: the problem in words, or undefined.
 */
export interface Rule {
  readonly rule: string;
  readonly broken: (evidence: Evidence, now: number) => string | undefined;
}
