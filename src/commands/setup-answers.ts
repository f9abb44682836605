import { knownModels } from "../agent/models.ts";
import { isLoopback } from "../kit/loopback.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { Prompt } from "./line-prompt.ts";
import { type Draft, type DraftOn, problemAt, type TokenAnswer } from "./setup-draft.ts";
import { askDevice, modelsFor, type Offer } from "./setup-terminal.ts";
import { type DeviceOptions, deviceOf } from "./terminal-options.ts";
import { UsageProblem } from "./terminal-output.ts";

/** Answers given on the command line. */
export interface AnswerOptions extends DeviceOptions {
  readonly environment?: string;
  readonly baseUrl?: string;
  readonly entityId?: string;
  readonly accessTokenFile?: string;
  readonly accessTokenEnv?: string;
  readonly shopName?: string;
  readonly country?: string;
  readonly terminal?: string;
  /** False: skips the question for a terminal. */
  readonly withTerminal: boolean;
  /** Asks nothing: missing options get their default, or are an error. */
  readonly yes: boolean;
}

export interface AskingOn extends DraftOn {
  readonly prompt: Prompt;
  readonly models: readonly DriverModel[];
  offers(): Promise<readonly Offer[]>;
  /** This machine's country setting. */
  readonly country: string | undefined;
}

interface Question {
  /** The corresponding option of the command line. */
  readonly option: string;
  readonly text: string;
  readonly given: string | undefined;
  readonly usual?: string | undefined;
  readonly example?: string;
  readonly hidden?: true;
  /** May be left out. */
  readonly optional?: true;
  /** Its places in the file, for finding its problems. */
  readonly places: readonly string[];
  with(answer: string): Draft;
}

/** The sandbox's address: the default for tests. */
const SANDBOX = "http://127.0.0.1:7718/";

/** Asks for everything that cannot be guessed, and checks each answer at once. Returns a draft without problems. */
export async function askAll(options: AnswerOptions, dataDir: string, on: AskingOn): Promise<Draft> {
  const { prompt } = on;
  const ask = (question: Question): Promise<Draft> => answered(question, options.yes, on);
  let draft: Draft = { dataDir };
  const heading = (line: string): void => {
    if (!options.yes) prompt.tell(line);
  };
  heading("1 of 5: the gateway");
  const environment = {
    option: "--environment",
    text: "Test or live?",
    given: options.environment,
    usual: "test",
    places: ["environment"],
  };
  draft = await ask({ ...environment, with: (answer) => ({ ...draft, environment: answer }) });
  const address = {
    option: "--base-url",
    text: "Its address",
    given: options.baseUrl,
    example: "https://gateway.example/",
    places: ["gateway.baseUrl"],
  };
  draft = await ask({
    ...address,
    ...(draft.environment === "test" && { usual: SANDBOX }),
    with: (answer) => ({ ...draft, baseUrl: answer }),
  });
  heading("2 of 5: your channel there");
  const entity = {
    option: "--entity-id",
    text: "Entity id",
    given: options.entityId,
    example: "8a8294174b7ecb28014b9699220015ca",
    places: ["gateway.entityId"],
  };
  draft = await ask({ ...entity, with: (answer) => ({ ...draft, entityId: answer }) });
  heading("3 of 5: how the gateway knows you (what you type is not shown)");
  draft = await withToken(options, draft, ask);
  heading("4 of 5: your shop, as it stands on receipts");
  draft = await ask({
    option: "--shop-name",
    text: "Name",
    given: options.shopName,
    example: "Corner Shop",
    places: ["merchant.name"],
    with: (answer) => ({ ...draft, shopName: answer }),
  });
  const country = {
    option: "--country",
    text: "Country, two letters",
    given: options.country,
    usual: on.country,
    example: "DE",
    places: ["merchant.country"],
  };
  draft = await ask({ ...country, with: (answer) => ({ ...draft, country: answer.toUpperCase() }) });
  heading("5 of 5: the card terminal");
  return options.withTerminal ? withTerminal(options, draft, ask, on) : draft;
}

type Ask = (question: Question) => Promise<Draft>;

async function withToken({ accessTokenFile, accessTokenEnv }: AnswerOptions, draft: Draft, ask: Ask): Promise<Draft> {
  if (accessTokenFile !== undefined && accessTokenEnv !== undefined)
    throw new UsageProblem("--access-token-file and --access-token-env: say one of them");
  const places = ["gateway", "gateway.accessTokenFile", "gateway.accessTokenEnv"];
  const set = (token: TokenAnswer): Draft => ({ ...draft, token });
  const text = "Access token";
  if (accessTokenEnv !== undefined)
    return ask({
      option: "--access-token-env",
      text,
      given: accessTokenEnv,
      places,
      with: (name) => set({ is: "env", name }),
    });
  if (accessTokenFile !== undefined)
    return ask({
      option: "--access-token-file",
      text,
      given: accessTokenFile,
      places,
      with: (path) => set({ is: "file", path }),
    });
  return ask({
    option: "--access-token-file",
    text,
    given: undefined,
    hidden: true,
    places,
    with: (token) => set({ is: "typed", token }),
  });
}

async function withTerminal(options: AnswerOptions, before: Draft, ask: Ask, on: AskingOn): Promise<Draft> {
  const { prompt } = on;
  const given = deviceOf(options);
  if (given.connection === undefined && options.yes)
    throw new UsageProblem(
      "--serial, --tcp, --websocket or --usb is missing: say how the terminal is connected, or --no-terminal",
    );
  const again = (problem: string): void => refuse(prompt, problem);
  const chosen =
    given.connection === undefined
      ? await askDevice(prompt, await on.offers(), again)
      : { is: "device" as const, connection: given.connection };
  if (chosen.is === "none") return before;
  const place = (key: string): readonly string[] => [`terminals[0].${key}`];
  const device = {
    id: options.terminal ?? "till-1",
    connection: chosen.connection,
    ...(given.options && { options: given.options }),
  };
  let draft: Draft = { ...before, terminal: device };
  const fits = modelsFor(chosen.connection, knownModels(on.models));
  const model = {
    option: "--model",
    text: `Model (${fits.join(", ")})`,
    given: given.model,
    usual: "model" in chosen ? chosen.model : undefined,
  };
  draft = await ask({
    ...model,
    places: [...place("model"), ...place("connection"), ...place("options"), ...place("id")],
    with: (answer) => ({ ...draft, terminal: { ...draft.terminal, model: answer } }),
  });
  const number = {
    option: "--terminal-id",
    text: "Terminal id, from the acquirer",
    given: given.terminalId,
    example: "12345678",
    places: place("terminalId"),
  };
  draft = await ask({
    ...number,
    with: (answer) => ({ ...draft, terminal: { ...draft.terminal, terminalId: answer } }),
  });
  const type = {
    option: "--device-type",
    text: "Device type, where the acquirer names one",
    given: given.deviceType,
    ...(isSandbox(draft) ? { usual: usualType(draft) } : { example: usualType(draft) }),
    optional: true as const,
    places: place("deviceType"),
  };
  draft = await ask({
    ...type,
    with: (answer) => (answer === "" ? draft : { ...draft, terminal: { ...draft.terminal, deviceType: answer } }),
  });
  return given.deviceId === undefined ? draft : { ...draft, terminal: { ...draft.terminal, deviceId: given.deviceId } };
}

/** The sandbox requires a device type with card data; only the acquirer knows a real gateway's. */
function isSandbox({ baseUrl = "" }: Draft): boolean {
  return URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname);
}

/** MIURA_M020 for miura-m020. */
function usualType({ terminal }: Draft): string {
  return (terminal?.model ?? "").toUpperCase().replaceAll("-", "_");
}

async function answered(question: Question, yes: boolean, on: AskingOn): Promise<Draft> {
  const { option, given, usual, places, optional } = question;
  const problemOf = (draft: Draft): string | undefined => problemAt(draft, places, on);
  const stated = given ?? (yes ? (usual ?? (optional === true ? "" : undefined)) : undefined);
  if (stated === undefined && yes)
    throw new UsageProblem(`${option} is missing: say it, or leave --yes out to be asked`);
  if (stated !== undefined) {
    const draft = question.with(stated);
    const problem = problemOf(draft);
    if (problem !== undefined) throw new UsageProblem(`${option} ${problem}`);
    return draft;
  }
  for (;;) {
    const text = await on.prompt.ask(promptText(question), { hidden: question.hidden === true });
    const answer = text === "" ? (usual ?? "") : text;
    const draft = question.with(answer);
    const problem = answer === "" && optional !== true ? "is empty; an answer is needed" : problemOf(draft);
    if (problem === undefined) return draft;
    refuse(on.prompt, `${question.text}: ${problem}`);
  }
}

function promptText({ text, usual, example, optional }: Question): string {
  if (usual !== undefined) return `${text} [${usual}]: `;
  if (optional === true) return `${text}, for example ${example}; Enter: none: `;
  return example === undefined ? `${text}: ` : `${text}, for example ${example}: `;
}

/** A person may answer again. A pipe's next answer belongs to the next question. */
function refuse(prompt: Prompt, problem: string): void {
  if (!prompt.isWatched) throw new UsageProblem(problem);
  prompt.tell(`  ${problem}`);
}
