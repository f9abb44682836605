import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createFigures } from "./figures.ts";
import { measureHistory, USUAL_PAYMENTS } from "./measure/history.ts";
import { measurePure } from "./measure/pure.ts";
import { measureSales } from "./measure/sales.ts";
import { measureSockets, measureThroughput } from "./measure/throughput.ts";
import { measuredIn, type Result } from "./result.ts";
import { type Group, rowNamed } from "./rows.ts";

export interface Wish {
  readonly only: readonly string[];
  readonly quick: boolean;
  /** Payments of the long journal. */
  readonly journal: number | undefined;
  readonly dataDir: string | undefined;
  readonly terminals: number;
  readonly program: string | undefined;
}

/** How much of each group: enough for quartiles, or just enough to see a gross mistake. */
const FULL = { sales: 200, warmUp: 50, rounds: 5, roundMs: 4_000, starts: 5, batches: 30 };
const QUICK = { sales: 20, warmUp: 10, rounds: 1, roundMs: 1_500, starts: 1, batches: 30 };
const QUICK_GROUPS: readonly Group[] = ["sales", "many", "pure"];
const ALL_GROUPS: readonly Group[] = ["pure", "sales", "many", "sockets", "history"];

export async function runBench(wish: Wish, progress: (text: string) => void): Promise<Result> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-bench-"));
  const figures = createFigures();
  const much = wish.quick ? QUICK : FULL;
  const terminals = wish.quick ? Math.min(8, wish.terminals) : wish.terminals;
  const wanted = new Set(wish.only.map((id) => rowNamed(id)?.group));
  const groups = (wish.quick ? QUICK_GROUPS : ALL_GROUPS).filter((group) => wanted.size === 0 || wanted.has(group));
  const { program } = wish;
  // An export of a long journal takes minutes.
  const withExport = wish.only.length === 0 ? !wish.quick : wish.only.includes("export");
  try {
    for (const group of groups) {
      const own = path.join(folder, group);
      fs.mkdirSync(own);
      const on = {
        ...much,
        ...wish,
        folder: own,
        program,
        figures,
        progress: (text: string) => progress(`${group}: ${text}`),
      };
      switch (group) {
        case "pure":
          measurePure(much.batches, figures);
          break;
        case "sales":
          await measureSales(on);
          break;
        case "many":
          await measureThroughput({ ...on, terminals });
          break;
        case "sockets":
          await measureSockets({ ...on, terminals: 1, sales: Math.min(40, much.sales), warmUp: 10 });
          break;
        case "history":
          await measureHistory({ ...on, payments: wish.journal, rounds: much.starts, withExport });
          break;
      }
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  const rows = measuredIn(figures).filter(({ id }) => wish.only.length === 0 || wish.only.includes(id));
  const [cpu] = os.cpus();
  return {
    at: new Date().toISOString(),
    machine: {
      processor: cpu?.model ?? "unknown",
      cores: os.cpus().length,
      kernel: `${os.type()} ${os.release()}`,
      node: process.version,
    },
    terminals,
    payments: wish.journal ?? USUAL_PAYMENTS,
    rows: [...rows],
  };
}
