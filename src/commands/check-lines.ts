import type { Check } from "../checks/check.ts";

const COLOURS: Readonly<Record<Check["state"], string>> = { ok: "\x1b[32m", warn: "\x1b[33m", fail: "\x1b[31m" };
const PLAIN = "\x1b[0m";

/** Each check as a line: state, name, finding and fix. On a screen with colours, and the fix on a line of its own. */
export function checkLines(checks: readonly Check[], isWatched: boolean): readonly string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  return checks.flatMap(({ name, state, text, fix }) => {
    const shown = state.padEnd(4);
    const line = `${isWatched ? `${COLOURS[state]}${shown}${PLAIN}` : shown}  ${name.padEnd(width)}  ${text}`;
    if (fix === undefined) return [line];
    return isWatched ? [line, `      ${" ".repeat(width)}  Fix: ${fix}`] : [`${line} Fix: ${fix}`];
  });
}

/** The number of each state, worst first. */
export function checksSummary(checks: readonly Check[]): string {
  const count = (state: Check["state"]): number => checks.filter((one) => one.state === state).length;
  return `${count("fail")} fail, ${count("warn")} warn, ${count("ok")} ok`;
}
