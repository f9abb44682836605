import { pageLines } from "./report.ts";
import type { Result } from "./result.ts";

const HEAD = "# Performance\n";
/** What the bench does not measure, and leaves as it is. */
const KEPT = "## The packaged program\n";

/** The page with this result in place of the one before. */
export function pageWith(page: string, result: Result): string {
  const kept = page.indexOf(KEPT);
  if (!page.startsWith(HEAD) || kept === -1) throw new Error(`the page has no "${KEPT.trim()}"`);
  const { at, machine, terminals, payments } = result;
  const measured = [
    "",
    "`npm run bench` measures the bridge beside a [bare script](../test/bench/bare) with the same parts: WebSocket server,",
    "serial line, warm connections to the gateway, SQLite with a sync for each step and a witness file, log. It journals,",
    "and that is all: nothing is checked, recovered, repeated or told again. The simulated customer takes no time.",
    "",
    ...pageLines(result),
    "",
    "Each figure is a median, with its quartiles. Bridge and bare script take turns in one run; warm-up does not count.",
    "Times depend on the machine and on what else it does: compare ratios.",
    "",
    `Measured ${at.slice(0, 10)} on ${machine.cores} cores of an ${machine.processor}, ${machine.kernel}, Node ${machine.node.slice(1)};`,
    `${terminals} terminals at once, a journal of ${payments.toLocaleString("en")} payments.`,
    "",
    "",
  ];
  return `${HEAD}${measured.join("\n")}${page.slice(kept)}`;
}
