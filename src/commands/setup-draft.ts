import path from "node:path";
import type { Configuration } from "../config/configuration.ts";
import { parseConfiguration } from "../config/parse.ts";
import type { Surroundings } from "../config/surroundings.ts";
import type { WrittenTerminal } from "../config/terminal-schema.ts";

/** The access token: typed, or its present place. */
export type TokenAnswer =
  | { readonly is: "typed"; readonly token: string }
  | { readonly is: "file"; readonly path: string }
  | { readonly is: "env"; readonly name: string };

/** The answers so far. */
export interface Draft {
  readonly environment?: string;
  readonly baseUrl?: string;
  readonly entityId?: string;
  readonly token?: TokenAnswer;
  readonly shopName?: string;
  readonly country?: string;
  readonly dataDir: string;
  readonly terminal?: Partial<
    Pick<WrittenTerminal, "id" | "model" | "connection" | "terminalId" | "deviceType" | "deviceId">
  > & {
    readonly options?: Readonly<Record<string, string>>;
  };
}

export const TOKEN_FILE = "gateway-token";

/** The draft in the form of the file. */
function writtenOf({ environment, baseUrl, entityId, token, shopName, country, dataDir, terminal }: Draft): object {
  const place =
    token === undefined
      ? {}
      : token.is === "env"
        ? { accessTokenEnv: token.name }
        : { accessTokenFile: token.is === "file" ? token.path : `./${TOKEN_FILE}` };
  return {
    environment,
    dataDir,
    merchant: { name: shopName, country },
    gateway: { baseUrl, entityId, ...place },
    terminals: terminal === undefined ? [] : [terminal],
  };
}

export interface DraftOn {
  /** The target file, absolute. */
  readonly file: string;
  readonly around: Surroundings;
}

function read(draft: Draft, { file, around }: DraftOn) {
  const tokenFile = path.join(path.dirname(file), TOKEN_FILE);
  const { token } = draft;
  const look: Surroundings["look"] = (where) =>
    token?.is === "typed" && where === tokenFile ? { is: "file", text: token.token, access: [] } : around.look(where);
  // JSON is YAML.
  return parseConfiguration(JSON.stringify(writtenOf(draft)), file, { ...around, look });
}

/** The problem of the answers at these places of the file, or undefined. Other answers may still be missing. */
export function problemAt(draft: Draft, places: readonly string[], on: DraftOn): string | undefined {
  const reading = read(draft, on);
  if (reading.ok) return undefined;
  return reading.problems.find(({ path: at }) => places.some((place) => at === place || at.startsWith(`${place}.`)))
    ?.message;
}

/** The configuration of the draft, or all its problems. */
export function configurationOf(
  draft: Draft,
  on: DraftOn,
): { readonly ok: true; readonly configuration: Configuration } | { readonly ok: false; readonly problems: string } {
  const reading = read(draft, on);
  return reading.ok
    ? reading
    : { ok: false, problems: reading.problems.map(({ path: at, message }) => `${at}: ${message}`).join("; ") };
}

/** The text of the file. Texts are quoted in a form that JSON and YAML share. */
export function fileText(draft: Draft, { file, day }: { readonly file: string; readonly day: string }): string {
  const {
    environment = "",
    baseUrl = "",
    entityId = "",
    token,
    shopName = "",
    country = "",
    dataDir,
    terminal,
  } = draft;
  const quoted = (text: string): string => JSON.stringify(text);
  const tokenLine =
    token?.is === "env"
      ? `accessTokenEnv: ${token.name}`
      : `accessTokenFile: ${quoted(token?.is === "file" ? token.path : `./${TOKEN_FILE}`)} # mode 0600`;
  const lines = [
    `# Written by posbridge setup on ${day}. Every key: docs/configuration.md.`,
    `# After a change: posbridge check-config ${file}`,
    "",
    `environment: ${environment} # test | live`,
    "",
    "listen: { host: 127.0.0.1, port: 7717 } # registers connect to ws://127.0.0.1:7717/v1",
    `dataDir: ${quoted(dataDir)}`,
    "",
    "merchant: # stands on receipts",
    `  name: ${quoted(shopName)}`,
    `  country: ${quoted(country)}`,
    "",
    "gateway:",
    `  baseUrl: ${quoted(baseUrl)}`,
    `  entityId: ${quoted(entityId)}`,
    `  ${tokenLine}`,
    "",
    ...terminalLines(terminal, quoted),
  ];
  return `${lines.join("\n")}\n`;
}

function terminalLines(terminal: Draft["terminal"], quoted: (text: string) => string): readonly string[] {
  if (terminal === undefined) return ["terminals: [] # posbridge terminals scan, then: posbridge terminals pair"];
  const { id = "", model = "", connection = {}, terminalId = "", deviceType, deviceId, options = {} } = terminal;
  return [
    "terminals:",
    `  - id: ${quoted(id)}`,
    `    model: ${quoted(model)}`,
    `    connection: ${flowText(connection)}`,
    `    terminalId: ${quoted(terminalId)} # from the acquirer`,
    ...(deviceType === undefined ? [] : [`    deviceType: ${quoted(deviceType)}`]),
    ...(deviceId === undefined ? [] : [`    deviceId: ${quoted(deviceId)}`]),
    ...(Object.keys(options).length === 0 ? [] : [`    options: ${flowText(options)}`]),
  ];
}

/** A mapping on one line, with USB ids in the form of `terminals scan`. */
function flowText(value: object): string {
  const pairs = Object.entries(value).map(([key, one]: [string, unknown]) => {
    if (typeof one === "number") return `${key}: 0x${one.toString(16).padStart(4, "0")}`;
    return `${key}: ${typeof one === "object" && one !== null ? flowText(one) : JSON.stringify(one)}`;
  });
  return `{ ${pairs.join(", ")} }`;
}
