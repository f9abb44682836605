import { Command } from "commander";
import type { z } from "zod";
import type { TraceEntry, terminalsTrace as traceMethod } from "../control/methods.ts";
import { type DataFolderOptions, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { operator } from "./operator.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
Shows what goes over the terminal's line, while the daemon runs: frames and objects by their names, and the values of a few objects
that hold nothing of a card. Key presses, card data, PIN blocks and every other value are left out. It ends by itself after the minutes,
or with Ctrl-C.

Example:
  posbridge terminals trace till-1 --minutes 5 --config ./posbridge.yaml`;

const MOST_MINUTES = 15;
/** Interval of the requests to the daemon, in milliseconds. */
const EVERY_MS = 250;

type Asking = z.input<(typeof traceMethod)["params"]>;

interface Options extends DataFolderOptions {
  readonly minutes: string;
  readonly json?: true;
}

/** `terminals trace ID`: the frames of a terminal's line in words. */
export function traceCommand(output: Output): Command {
  return withDataFolder(new Command("trace"))
    .description("show what goes over a terminal's line, for some minutes")
    .argument("<id>", "the terminal")
    .option("--minutes <count>", `for so long, 1 to ${MOST_MINUTES}`, "5")
    .option("--json", "print each frame as one line of JSON")
    .addHelpText("after", EXAMPLE)
    .action((terminal: string, options: Options) => trace(terminal, options, output));
}

async function trace(terminal: string, { minutes: text, json, ...where }: Options, output: Output): Promise<void> {
  const minutes = /^[0-9]{1,2}$/.test(text) ? Number(text) : 0;
  if (minutes < 1 || minutes > MOST_MINUTES)
    throw new UsageProblem(`--minutes ${text}: use a number from 1 to ${MOST_MINUTES}`);
  const [{ askDaemon }, { ControlFailed }, { terminalsTrace }, { systemClock }, { sleep }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
    import("../kit/clock.ts"),
  ]);
  const dataDir = await foundDataFolderOf(where, output);
  const ask = async (params: Asking) => {
    const asked = await askDaemon({ dataDir, clock: systemClock }, terminalsTrace, params).catch((cause: unknown) => {
      throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
    });
    if (asked.is === "no-daemon")
      throw new OperationFailed(`no daemon runs on ${dataDir}: a trace shows what it says to the terminal`);
    if (!asked.reply.ok) throw new UsageProblem(asked.reply.message);
    return asked.reply.value;
  };
  let isStopped = false;
  const stopped = output.stopped.then(() => {
    isStopped = true;
  });
  let after = 0;
  let { running, entries } = await ask({ do: "begin", terminal, minutes, by: await operator() });
  for (;;) {
    for (const entry of entries) {
      if (entry.n > after + 1)
        output.err(`${entry.n - after - 1} frames were left out: they came faster than they were read`);
      after = entry.n;
      output.out(json === true ? JSON.stringify(entry) : lineOf(entry));
    }
    if (!running || isStopped) break;
    if (entries.length === 0) await Promise.race([sleep(systemClock, EVERY_MS), stopped]);
    ({ running, entries } = await ask({ do: "read", terminal, after }));
  }
  if (running) await ask({ do: "end", terminal });
}

const ARROWS: Readonly<Record<TraceEntry["direction"], string>> = { sent: "->", received: "<-", link: "--" };

/** One frame as a line: names, lengths, and the permitted values. */
function lineOf({ time, direction, frame, objects }: TraceEntry): string {
  const shown = objects.map(
    ({ tag, name, length, value }) =>
      `${tag}${name === undefined ? "" : ` (${name})`} ${value ?? `[${length} bytes left out]`}`,
  );
  return [time, ARROWS[direction], frame, ...(shown.length === 0 ? [] : [`| ${shown.join(", ")}`])].join(" ");
}
