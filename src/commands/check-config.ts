import { Command } from "commander";
import type { KnownModel } from "../config/surroundings.ts";
import { refusal, requireConfiguration } from "./configuration-file.ts";
import { type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
Example:
  posbridge check-config /etc/posbridge/posbridge.yaml

The smallest configuration:
  environment: test
  merchant: { name: Corner Shop, country: DE }
  gateway:
    baseUrl: http://127.0.0.1:7718/
    entityId: 8a8294174b7ecb28014b9699220015ca
    accessTokenFile: ./gateway-token
  terminals:
    - id: till-1
      model: miura-m020
      connection: { serial: /dev/ttyACM0 }
      terminalId: "12345678"
      deviceType: MIURA_M020`;

/** `check-config FILE [--json]`: every problem with its line and the mend, exit code 2; or "ok". */
export function checkConfigCommand(output: Output, models: readonly KnownModel[]): Command {
  return new Command("check-config")
    .description("check a configuration file and print every problem with its line and the mend")
    .argument("<file>", "the configuration file")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async (file: string, { json }: { json?: true }) => {
      if (json === true) return checkAsJson(file, models, output);
      await requireConfiguration(file, models, output);
      output.out("ok");
    });
}

async function checkAsJson(file: string, models: readonly KnownModel[], output: Output): Promise<void> {
  const { loadConfiguration } = await import("../config/load.ts");
  const reading = loadConfiguration(file, models, process.env);
  output.out(
    JSON.stringify(reading.ok ? { ok: true, problems: [] } : { ok: false, problems: reading.problems.map((problem) => ({ file, ...problem })) }, null, 2),
  );
  if (!reading.ok) throw new UsageProblem(refusal(file, reading.problems.length));
}
