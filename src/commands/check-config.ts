import { Command } from "commander";
import type { Configuration } from "../config/configuration.ts";
import type { KnownModel } from "../config/surroundings.ts";
import { isLoopback } from "../kit/loopback.ts";
import { servedNames } from "../kit/served-names.ts";
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

/**
 * `check-config FILE [--json]`: every problem with its line and the fix, exit code 2; or "ok", with the names for
 * registers and the questions for the acquirer.
 */
export function checkConfigCommand(output: Output, models: readonly KnownModel[]): Command {
  return new Command("check-config")
    .description("check a configuration file and print every problem with its line and the mend")
    .argument("<file>", "the configuration file")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async (file: string, { json }: { json?: true }) => {
      if (json === true) return checkAsJson(file, models, output);
      const configuration = await requireConfiguration(file, models, output);
      output.out("ok");
      const { names, uncertified } = await namesOf(configuration);
      if (names.length > 0) output.out(`registers may ask for ${names.join(", ")}`);
      if (uncertified.length > 0)
        output.out(
          `the certificate of listen.tls does not name ${uncertified.join(", ")}: who asks for these will refuse it`,
        );
      for (const line of await dataFolderLines(file, configuration, models, output)) output.out(line);
      for (const { terminal, question } of questionsOf(configuration, models)) output.out(`${terminal}: ${question}`);
    });
}

/** The data folder's notes on terminals; ends the command on a conflict with the file. */
async function dataFolderLines(
  file: string,
  configuration: Configuration,
  models: readonly KnownModel[],
  output: Output,
): Promise<readonly string[]> {
  const { dataFolderTerminals } = await import("../agent/roster.ts");
  const found = dataFolderTerminals(configuration, models);
  if (found.ok) return found.notes.map(({ terminal, note }) => `${terminal}: ${note}`);
  for (const line of found.problems) output.err(line);
  throw new UsageProblem(refusal(file, found.problems.length));
}

async function checkAsJson(file: string, models: readonly KnownModel[], output: Output): Promise<void> {
  const { loadConfiguration } = await import("../config/load.ts");
  const reading = loadConfiguration(file, models, process.env);
  const questions = reading.ok ? questionsOf(reading.configuration, models) : [];
  const { names, uncertified } = reading.ok ? await namesOf(reading.configuration) : { names: [], uncertified: [] };
  const { dataFolderTerminals } = await import("../agent/roster.ts");
  const found = reading.ok ? dataFolderTerminals(reading.configuration, models) : undefined;
  if (found?.ok === false) {
    output.out(
      JSON.stringify({ ok: false, problems: found.problems.map((message) => ({ file, path: "", message })) }, null, 2),
    );
    throw new UsageProblem(refusal(file, found.problems.length));
  }
  const notes = found?.notes ?? [];
  const said = reading.ok
    ? {
        ok: true,
        problems: [],
        ...(names.length > 0 && { names, uncertified }),
        ...(notes.length > 0 && { dataFolder: notes }),
        ...(questions.length > 0 && { acquirerQuestions: questions }),
      }
    : { ok: false, problems: reading.problems.map((problem) => ({ file, ...problem })) };
  output.out(JSON.stringify(said, null, 2));
  if (!reading.ok) throw new UsageProblem(refusal(file, reading.problems.length));
}

interface Names {
  /** Names by which registers may address the port; empty if only this machine can. */
  readonly names: readonly string[];
  /** The names that the certificate does not cover. */
  readonly uncertified: readonly string[];
}

async function namesOf({ listen }: Configuration): Promise<Names> {
  const [{ namesNotIn }, { systemMachineNames }] = await Promise.all([
    import("../config/pem.ts"),
    import("../kit/system-machine-names.ts"),
  ]);
  const names = servedNames(listen, systemMachineNames());
  const others = names.filter((name) => !isLoopback(name));
  const { tls } = listen;
  return {
    names: others.length === 0 ? [] : names,
    uncertified: tls === undefined ? [] : namesNotIn(tls.cert, others),
  };
}

interface Question {
  readonly terminal: string;
  readonly question: string;
}

/** Questions for the acquirer about each terminal as configured. */
function questionsOf({ terminals }: Configuration, models: readonly KnownModel[]): readonly Question[] {
  return terminals.flatMap(({ id, model, options }) => {
    const questions = models.find((known) => known.id === model)?.acquirerQuestions?.(options) ?? [];
    return questions.map((question) => ({ terminal: id, question }));
  });
}
