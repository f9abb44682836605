import { NOT_OK, OK, PLAN } from "./guest/check.ts";

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** Why the run as a whole does not count as passed; nothing where it does. */
  readonly problems: readonly string[];
}

/** What the kernel prints when it is itself in trouble: a run in which it did proves nothing. */
const KERNEL_TROUBLE = /\b(BUG|Oops|KASAN|general protection fault|Kernel panic|Call Trace|Out of memory)\b/;

/**
 * Judges what a guest's console said: as many checks passed as were planned, no other line speaks against it, and the
 * guest ended by itself.
 */
export function judge(lines: readonly string[], end: "off" | "too-late"): Verdict {
  const beginning = (word: string): readonly string[] => lines.filter((line) => line.startsWith(`${word} `));
  const passed = beginning(OK).length;
  const failed = beginning(NOT_OK).length;
  const planned = Number(beginning(PLAN)[0]?.split(" ")[1] ?? Number.NaN);
  const trouble = lines.find((line) => KERNEL_TROUBLE.test(line));
  return {
    passed,
    failed,
    problems: [
      ...(end === "too-late" ? ["the guest was not done in time and was switched off"] : []),
      ...(Number.isNaN(planned) ? ["the guest never began its checks"] : []),
      ...(failed > 0 ? [`${failed} checks did not hold`] : []),
      ...(planned > 0 && passed + failed !== planned
        ? [`${planned} checks were planned, ${passed + failed} were made`]
        : []),
      ...(planned === 0 ? ["no checks were planned"] : []),
      ...beginning("TEST-BROKEN").map((line) => `the guest could not be set up: ${line}`),
      ...(lines.includes("TEST-END 0") ? [] : ["the checks did not end by themselves with 0"]),
      ...(trouble === undefined ? [] : [`the guest's kernel is in trouble: ${trouble}`]),
    ],
  };
}
