import fs from "node:fs";
import { Command } from "commander";
import type { z } from "zod";
import type { bridgeSupportBundle } from "../control/methods.ts";
import { type DataFolderOptions, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { warnIfOpen } from "./new-file.ts";
import { operator } from "./operator.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

const EXAMPLE = `
One JSON file for whoever helps from afar: version, configuration without secrets, terminals, checks, open payments with what
happened to them, the last log lines and the metrics. Of the bridge that runs; none is made where anything in it reads like a card
number. Look through it before you send it.

Example:
  posbridge support-bundle ./posbridge-support.json --config /etc/posbridge/posbridge.yaml`;

/** `support-bundle FILE`: what helps whoever cannot come. */
export function supportBundleCommand(output: Output): Command {
  return withDataFolder(new Command("support-bundle"))
    .description("write what support needs to know of the running bridge into a file")
    .argument("<file>", "the file to write; one that exists is left alone")
    .addHelpText("after", EXAMPLE)
    .action(async (file: string, options: DataFolderOptions) => {
      const bundle = await bundleOf(await foundDataFolderOf(options, output));
      try {
        fs.writeFileSync(file, bundle, { flag: "wx", mode: 0o600 });
      } catch (cause) {
        throw new OperationFailed(`${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}; name a new file in a folder of yours`);
      }
      warnIfOpen(file, output);
      output.out(`${file} is written; look through it before you send it`);
    });
}

type Asking = z.input<(typeof bridgeSupportBundle)["params"]>;

/** Part by part, from the daemon. */
async function bundleOf(dataDir: string): Promise<string> {
  const [{ askDaemon }, { ControlFailed }, { bridgeSupportBundle: method }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const ask = async (params: Asking) => {
    const asked = await askDaemon({ dataDir, clock: systemClock }, method, params).catch((cause: unknown) => {
      throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
    });
    if (asked.is === "no-daemon") throw new OperationFailed(`no daemon runs on ${dataDir}: a support bundle shows what it says of itself`);
    if (!asked.reply.ok) throw new OperationFailed(asked.reply.message);
    return asked.reply.value;
  };
  const first = await ask({ do: "make", by: await operator() });
  let text = first.part;
  while (text.length < first.length) {
    const { part } = await ask({ do: "read", from: text.length });
    if (part === "") throw new OperationFailed("somebody else has made a support bundle meanwhile: try again");
    text += part;
  }
  return text;
}
