import path from "node:path";
import { Command } from "commander";
import { knownModels } from "../agent/models.ts";
import type { SystemAccount } from "../kit/system-accounts.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { Prompt } from "./line-prompt.ts";
import { loadAddonsBy, usualFolders } from "./packed-addons.ts";
import { type AnswerOptions, askAll } from "./setup-answers.ts";
import { configurationOf, type Draft, type DraftOn, fileText, TOKEN_FILE } from "./setup-draft.ts";
import { withDevice } from "./terminal-options.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
Asks for five things that nobody can guess: the gateway's address, the entity id, the access token (not shown), the shop's name and
country, and the terminal with its id from the acquirer. The form of each answer is checked at once. The terminal is looked for, and it proves
itself: its line is opened and its serial number read, never a payment. Then the configuration (mode 0640), the token's file (mode
0600) and the data folder (mode 0700) are written. Until then nothing is.

Answers may come by options, or by a pipe, one a line. With --yes nothing is asked: what no option says has its usual value. An
access token is never an option of its own, because other users see the options of a process.

Example:
  sudo posbridge setup
  posbridge setup --config ./posbridge.yaml
  posbridge setup --yes --config ./posbridge.yaml --base-url https://gateway.example/ --entity-id 8a8294174b7ecb28014b9699220015ca \\
    --access-token-file ./token --shop-name "Corner Shop" --country DE --tcp 192.168.1.20:6543 --model miura-m020 --terminal-id 12345678`;

interface SetupOptions extends Omit<AnswerOptions, "yes" | "withTerminal" | "terminal"> {
  readonly config?: string;
  readonly dataDir?: string;
  readonly user?: string;
  readonly terminal?: string | false;
  readonly proof: boolean;
  readonly replace?: true;
  readonly yes?: true;
}

/** `setup [--config FILE]`: asks for everything that cannot be guessed, and writes a first configuration. */
export function setupCommand(output: Output, models: readonly DriverModel[]): Command {
  const command = new Command("setup")
    .description("ask for what a first configuration needs, and write it")
    .option(
      "--config <file>",
      "the file to write (default: /etc/posbridge/posbridge.yaml for root, else ./posbridge.yaml)",
    )
    .option(
      "--data-dir <dir>",
      "the data folder (default: /var/lib/posbridge beside /etc/posbridge, else ./data beside the file)",
    )
    .option(
      "--user <name>",
      "the bridge's user, who is to read the files (default for root: posbridge, where there is one)",
    )
    .option("--replace", "write over a configuration that is there; a copy of it is kept")
    .option("--yes", "ask nothing")
    .option("--environment <environment>", "test or live")
    .option("--base-url <address>", "the gateway's address")
    .option("--entity-id <id>", "the channel at the gateway")
    .option("--access-token-file <file>", "a file that holds the access token alone; it stays where it is")
    .option("--access-token-env <name>", "or the environment variable that holds it")
    .option("--shop-name <name>", "the shop's name on receipts")
    .option("--country <code>", "the shop's country, two letters")
    .option("--terminal <id>", "how registers name the terminal", "till-1")
    .option("--no-terminal", "no terminal for now")
    .option("--no-proof", "do not ask the terminal who it is");
  return withDevice(command)
    .addHelpText("after", EXAMPLE)
    .action((options: SetupOptions) => setUp(options, output, models));
}

async function setUp(options: SetupOptions, output: Output, models: readonly DriverModel[]): Promise<void> {
  const target = await targetOf(options);
  const { openPrompt } = await import("./system-prompt.ts");
  const prompt = openPrompt();
  try {
    const on = { file: target.file, around: await surroundings(models, target.account) };
    const tokenFile =
      options.accessTokenFile === undefined ? {} : { accessTokenFile: path.resolve(options.accessTokenFile) };
    const answers = {
      ...options,
      ...tokenFile,
      yes: options.yes === true,
      withTerminal: options.terminal !== false,
      terminal: options.terminal === false ? "" : (options.terminal ?? "till-1"),
    };
    const { offers } = await import("./setup-terminal.ts");
    loadAddonsBy(usualFolders(process.env));
    const asking = { ...on, prompt, models, country: localCountry(process.env), offers: () => offers(models) };
    const draft = await askAll(answers, target.dataDir, asking);
    if (options.proof && draft.terminal !== undefined)
      await proveTerminal(draft, on, { prompt, models, yes: answers.yes });
    const copies = await write(draft, target, models);
    for (const line of await closingLines(target, copies, draft)) output.out(line);
  } finally {
    prompt.close();
  }
}

interface Target {
  readonly file: string;
  readonly dataDir: string;
  /** The bridge's user, if another than the current one. */
  readonly account: SystemAccount | undefined;
}

/** The target paths; ends the command if they are not allowed. */
async function targetOf({ config, dataDir, user, replace }: SetupOptions): Promise<Target> {
  const [fs, { systemAccess, systemUser }, { chainOfNew, tamperProblem }, { accountNamed }, { DEFAULT_PLACES }] =
    await Promise.all([
      import("node:fs"),
      import("../kit/system-path-access.ts"),
      import("../kit/path-access.ts"),
      import("../kit/system-accounts.ts"),
      import("./default-configuration.ts"),
    ]);
  const isRoot = systemUser() === 0;
  const [system = "", here = ""] = DEFAULT_PLACES;
  const file = path.resolve(config ?? (isRoot || process.platform === "win32" ? system : here));
  if (fs.existsSync(file) && replace !== true)
    throw new UsageProblem(
      `${file} is there already: change it by hand, or write over it with --replace, which keeps a copy`,
    );
  const name = user ?? (isRoot ? "posbridge" : undefined);
  const found = name === undefined ? undefined : accountNamed(name);
  if (user !== undefined && found === undefined)
    throw new UsageProblem(`--user ${user}: there is no such user on this machine`);
  if (user !== undefined && found?.uid !== systemUser() && !isRoot)
    throw new UsageProblem(`--user ${user}: only root may give files to another user; run it by sudo`);
  const account = found?.uid === systemUser() ? undefined : found;
  const uid = account?.uid ?? systemUser() ?? 0;
  const problem = tamperProblem(chainOfNew(systemAccess(nearestFolder(fs, path.dirname(file))), file, uid), uid);
  if (problem !== undefined) throw new UsageProblem(`${file} ${problem}`);
  const usual = file === system && process.platform !== "win32" ? "/var/lib/posbridge" : "./data";
  return { file, dataDir: dataDir === undefined ? usual : path.resolve(dataDir), account };
}

function nearestFolder(fs: Pick<typeof import("node:fs"), "existsSync">, folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? folder : nearestFolder(fs, path.dirname(folder));
}

async function surroundings(
  models: readonly DriverModel[],
  account: SystemAccount | undefined,
): Promise<DraftOn["around"]> {
  const { systemSurroundings } = await import("../config/load.ts");
  const around = systemSurroundings(knownModels(models), process.env, account?.uid);
  if (account === undefined) return around;
  const [{ lookAs }, { groupsOf }] = await Promise.all([
    import("./setup-look.ts"),
    import("../kit/system-accounts.ts"),
  ]);
  return { ...around, look: lookAs(around.look, { ...account, gids: groupsOf(account) }) };
}

/** The region of the locale: de_DE.UTF-8 is Germany's. */
function localCountry(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return /^[a-z]{2,3}_([A-Z]{2})(?:[.@]|$)/.exec(env["LC_ALL"] ?? env["LANG"] ?? "")?.[1];
}

interface ProofOn {
  readonly prompt: Prompt;
  readonly models: readonly DriverModel[];
  readonly yes: boolean;
}

/** Opens the terminal's line and reads its serial number. A person may try again, or keep the terminal unverified. */
async function proveTerminal(draft: Draft, on: DraftOn, { prompt, models, yes }: ProofOn): Promise<void> {
  const reading = configurationOf(draft, on);
  if (!reading.ok) throw new UsageProblem(reading.problems);
  const { proveAlone } = await import("../agent/terminals-at-rest.ts");
  for (;;) {
    if (!yes) prompt.tell("Asking the terminal who it is (45 s at most) ...");
    const proof = await Promise.race([proveAlone(reading.configuration, models), prompt.interrupted]);
    if (proof.ok) {
      const { model, serialNumber, firmware, warnings } = proof.value;
      prompt.tell(`The ${model} answered: serial number ${serialNumber}, firmware ${firmware}`);
      for (const warning of warnings) prompt.tell(`  ${warning}`);
      return;
    }
    const { message } = proof.refusal;
    if (yes || !prompt.isWatched)
      throw new OperationFailed(
        `${message}; nothing was written: see to the terminal and try again, or say --no-proof`,
      );
    prompt.tell(`  ${message}`);
    const answer = await prompt.ask("Again, or keep it as it is? [again]: ");
    if (answer === "keep") return;
  }
}

async function write(
  draft: Draft,
  { file, account, ...target }: Target,
  models: readonly DriverModel[],
): Promise<readonly string[]> {
  const [{ writeSetup }, { loadConfiguration }, { problemLines }] = await Promise.all([
    import("./setup-files.ts"),
    import("../config/load.ts"),
    import("../config/problem.ts"),
  ]);
  const now = new Date(await timeNow()).toISOString();
  const { token } = draft;
  const typed =
    token?.is === "typed" ? { token: { file: path.join(path.dirname(file), TOKEN_FILE), text: token.token } } : {};
  const dataDir = path.resolve(path.dirname(file), target.dataDir);
  const stamp = now.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  const { copies } = inFiles(() =>
    writeSetup({
      file,
      text: fileText(draft, { file, day: now.slice(0, 10) }),
      ...typed,
      dataDir,
      owner: account,
      stamp,
    }),
  );
  const reading = loadConfiguration(file, knownModels(models), process.env, account?.uid);
  if (!reading.ok)
    throw new OperationFailed(
      `${file} is written, and is not sound: ${problemLines(file, reading.problems).join("; ")}`,
    );
  return copies;
}

async function timeNow(): Promise<number> {
  const { systemClock } = await import("../kit/system-clock.ts");
  return systemClock.now();
}

function inFiles<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    throw new OperationFailed(
      `the files cannot be written (${cause.message}); run it as root (sudo), or name another file by --config`,
    );
  }
}

async function closingLines(
  { file, account }: Target,
  copies: readonly string[],
  { terminal }: Draft,
): Promise<readonly string[]> {
  const [fs, { systemd }, { nextLines }, { hiddenFolder }] = await Promise.all([
    import("node:fs"),
    import("../service/systemd.ts"),
    import("./setup-next.ts"),
    import("../service/platforms.ts"),
  ]);
  const hasUnit = file === systemd.config && systemd.packaged.some((unit) => fs.existsSync(unit));
  const isHidden = systemPlatform === "linux" && hiddenFolder(systemd, file) !== undefined;
  return [
    `${file} is written and sound.`,
    ...copies.map((copy) => `What was there before is ${copy}`),
    "Next:",
    ...nextLines({
      file,
      user: account?.name,
      register: terminal?.id ?? "till-1",
      platform: systemPlatform,
      hasUnit,
      isHidden,
    }),
  ];
}
