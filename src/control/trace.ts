import type { ControlHandlers, TraceEntry } from "./methods.ts";

/** A terminal's trace as the control method uses it. */
export interface Traced {
  begin(forMs: number): void;
  read(after: number): readonly TraceEntry[] | undefined;
  end(): void;
}

interface TraceLog {
  info(fields: object, message: string): void;
}

const MINUTE_MS = 60_000;
/** Limit of one reply's text, in characters: a line of the control socket has at most 65,536 bytes. */
const MOST_CHARACTERS = 48_000;

export function traceHandlers(
  traces: ReadonlyMap<string, Traced>,
  log: TraceLog,
): Pick<ControlHandlers, "terminals.trace"> {
  return {
    "terminals.trace": async (params) => {
      const { terminal } = params;
      const trace = traces.get(terminal);
      if (trace === undefined)
        return {
          ok: false,
          message: `terminal ${JSON.stringify(terminal.slice(0, 64))} is not configured here; it is one of ${[...traces.keys()].join(", ")}`,
        };
      if (params.do === "begin") {
        trace.begin(params.minutes * MINUTE_MS);
        log.info({ audit: true, terminal, by: params.by, minutes: params.minutes }, "trace of a terminal's line begun");
      }
      if (params.do === "end") trace.end();
      const entries = trace.read(params.do === "read" ? params.after : 0);
      return { ok: true, value: { running: entries !== undefined, entries: fitting(entries ?? []) } };
    },
  };
}

/** As many entries as fit into one reply, but at least one. */
function fitting(entries: readonly TraceEntry[]): readonly TraceEntry[] {
  let characters = 0;
  const end = entries.findIndex((entry, at) => {
    characters += JSON.stringify(entry).length;
    return at > 0 && characters > MOST_CHARACTERS;
  });
  return end === -1 ? entries : entries.slice(0, end);
}
