import fs from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import type { Configuration } from "../config/configuration.ts";
import { loadConfiguration } from "../config/load.ts";
import { problemLines } from "../config/problem.ts";
import type { KnownModel } from "../config/surroundings.ts";
import { ListenFailed, startHttp } from "../http/server.ts";
import { setupPages } from "../http/setup-page.ts";
import type { Clock } from "../kit/clock.ts";
import { servedNames } from "../kit/served-names.ts";
import { commandWord } from "../kit/shell-word.ts";
import { systemMachineNames } from "../kit/system-machine-names.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { within } from "../kit/within.ts";
import type { Log } from "../observe/log.ts";
import { openRpcText } from "../register/rpc/openrpc-text.ts";
import { UsageProblem } from "./terminal-output.ts";

/** Ports of a bridge that waits for its first configuration. */
export interface AwaitingOn {
  readonly models: readonly KnownModel[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn">;
  /** The expected path of the file, for people. */
  readonly place: string;
  /** The file, once it exists. */
  find(): string | undefined;
  /** The process was asked to stop. */
  readonly stopped: Promise<void>;
  /** The bridge's usual port; a test uses a free one. */
  readonly port: number;
  /** Gets the address of the page. */
  readonly served?: (address: string) => void;
}

const LOOK_EVERY_MS = 2_000;
const HOST = "127.0.0.1";

/**
 * Serves a page with instructions until a valid configuration exists; undefined if the process was asked to stop.
 * Payments are impossible meanwhile.
 */
export async function awaitConfiguration(on: AwaitingOn): Promise<Configuration | undefined> {
  const command = `posbridge setup --config ${commandWord(on.place, systemPlatform)}`;
  const look = () => {
    const file = on.find();
    const reading = file === undefined || !fs.existsSync(file) ? undefined : loadConfiguration(file, on.models, on.env);
    return {
      file,
      reading,
      problems: file === undefined || reading === undefined || reading.ok ? [] : problemLines(file, reading.problems),
    };
  };
  let { problems }: { problems: readonly string[] } = look();
  const said = () => ({ version: manifest.version, file: on.find() ?? on.place, command, problems });
  const server = await serve(
    on,
    () => (problems.length === 0 ? [`there is no configuration yet; type: ${command}`] : problems),
    said,
  );
  const address = `http://${HOST}:${server.port}/`;
  const words = "nothing is sold; the page at this address says what to do";
  if (problems.length === 0)
    on.log.warn({ address, file: on.place, command }, `there is no configuration yet: ${words}`);
  else
    on.log.warn({ address, file: on.find() ?? on.place, problems }, `the configuration cannot be used yet: ${words}`);
  on.served?.(address);
  try {
    for (;;) {
      const { file, reading, problems: found } = look();
      if (reading?.ok === true) {
        on.log.info({ file }, "there is a configuration now: the bridge starts");
        return reading.configuration;
      }
      if (found.length > 0 && found.join("\n") !== problems.join("\n"))
        on.log.warn({ file, problems: found }, "the configuration cannot be used yet");
      problems = found;
      if ((await within(on.clock, LOOK_EVERY_MS, on.stopped)) === "done") return undefined;
    }
  } finally {
    await server.close();
  }
}

async function serve(
  { clock, port, log }: AwaitingOn,
  ready: () => readonly string[],
  said: Parameters<typeof setupPages>[0],
) {
  try {
    return await startHttp({
      listen: { host: HOST, port },
      names: () => servedNames({ host: HOST }, systemMachineNames()),
      origins: [],
      page: { version: manifest.version, environment: "test" },
      pages: setupPages(said),
      ready,
      metrics: async () => "",
      openRpc: () => openRpcText(manifest.version),
      sockets: { upgrade: () => false, turnAway: () => false, close: async () => undefined },
      clock,
      refused: () => undefined,
      problem: (error, where) =>
        log.warn({ where, error: error instanceof Error ? error.message : String(error) }, "a request failed"),
    });
  } catch (cause) {
    if (cause instanceof ListenFailed)
      throw new UsageProblem(`there is no configuration, and no page can say so: ${cause.message}`);
    throw cause;
  }
}
