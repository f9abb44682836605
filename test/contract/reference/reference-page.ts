import type { PromptCode } from "../../../src/card/notice.ts";
import { promptCodes, promptView } from "../../../src/payment/fact/prompt.ts";
import { isReasonCode, reasonOf } from "../../../src/payment/outcome/reason.ts";
import { openRpcDocument } from "../../../src/register/rpc/openrpc.ts";
import type { Exchange, Json } from "./exchange.ts";
import { jsonText } from "./json-text.ts";
import type { Recorded } from "./method-exchanges.ts";
import { REASON_OUTCOMES } from "./reasons.ts";
import { type ApiDocument, isPassed, objectRows, parameterRows, type Row, readDocument } from "./tables.ts";

const OPENING = `<!-- Written by npm run reference-page from the schemas that check each call, and from calls to a bridge in a test. -->
# The register API: reference

Every method, notification, object, reason and error of version 1. How a till uses them: [the guide](register-api.md).

The exchanges were recorded from a bridge with the sandbox as its gateway and a simulated terminal. Disks that fail, a
data folder that was put back and the checks of a machine are simulated. Tokens, signatures and pairing codes are replaced,
and long texts and lists are cut: \`…\` says so. A time is ISO 8601 UTC with milliseconds; money is a decimal string. *Required* in a result
means that the member is always there.`;

/** docs/register-reference.md. */
export function referencePage(recorded: Recorded, document = readDocument(openRpcDocument(""))): string {
  const { methods, components } = document;
  return `${[
    OPENING,
    "## Methods",
    table(
      ["method", "scope", "what it does"],
      methods.map((method) => [linkTo(method.name), scopesOf(method), method.summary]),
    ),
    ...methods.map((method) => methodPart(method, document, recorded)),
    passedPart(document),
    "## Notifications",
    ...document["x-notifications"].map(({ name, params }) =>
      lines(
        `### ${name}`,
        rowsTable(objectRows(params, components.schemas)),
        jsonBlock(recorded.notifications.get(name)),
      ),
    ),
    "## Objects",
    ...Object.entries(components.schemas).map(([name, schema]) =>
      lines(`### ${name}`, schema.description ?? "", rowsTable(objectRows(schema, components.schemas))),
    ),
    promptsPart(),
    reasonsPart(),
    "## Errors",
    "An error has a number for JSON-RPC and a name in `data.code`: read the name.",
    ...Object.entries(components.errors).map(([code, { code: number, message, "x-fix": fix }]) =>
      lines(
        `### ${code}`,
        `Number ${number}. ${message}`,
        `What to do: ${fix}`,
        exchangeBlock(recorded.errors.get(code)),
      ),
    ),
  ].join("\n\n")}\n`;
}

type Method = ApiDocument["methods"][number];

const lines = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
const linkTo = (name: string): string => `[\`${name}\`](#${name.toLowerCase().replaceAll(/[^a-z0-9_-]/g, "")})`;
const scopesOf = ({ "x-scopes": scopes }: Method): string => scopes.map((scope) => `\`${scope}\``).join(" or ");

function methodPart(method: Method, { components }: ApiDocument, recorded: Recorded): string {
  const parameters = parameterRows(method, components.schemas);
  const own = parameters.filter(({ name }) => !isPassed(name));
  const scopes = scopesOf(method);
  const result = objectRows(method.result.schema, components.schemas);
  return lines(
    `### ${method.name}`,
    method.summary,
    scopes === "" ? "Needs no scope." : `Scope: ${scopes}.`,
    notesOf(method),
    own.length === 0 ? "No parameters." : `Parameters:\n\n${rowsTable(own)}`,
    own.length === parameters.length ? "" : `And ${"[parameters for the gateway](#parameters-for-the-gateway)"}.`,
    result.length === 0 ? "The result is empty." : `Result:\n\n${rowsTable(result)}`,
    exchangeBlock(recorded.methods.get(method.name)),
  );
}

const notesOf = ({ description }: Method): string =>
  (description ?? "")
    .split("\n")
    .map((note) => (note === "" ? "" : `- ${note}`))
    .join("\n");

function passedPart({ methods, components }: ApiDocument): string {
  const users = methods.filter(({ params }) => params.some(({ name }) => isPassed(name)));
  const rows = users.slice(0, 1).flatMap((method) => parameterRows(method, components.schemas));
  return lines(
    "## Parameters for the gateway",
    `${users.map(({ name }) => linkTo(name)).join(", ")} take these besides their own. The bridge checks their form and passes them on. Members, formats and limits: [the gateway's parameters](parameters.md).`,
    table(
      ["name", "meaning"],
      rows.filter(({ name }) => isPassed(name)).map(({ name, meaning }) => [`\`${name}\``, meaning]),
    ),
  );
}

function promptsPart(): string {
  const isCode = (code: string): code is PromptCode => promptCodes.includes(code);
  const rows = promptCodes.filter(isCode).map((code) => {
    const [plain, withStripe] = [promptView({ code }).text, promptView({ code, swipe: true }).text];
    return [`\`${code}\``, plain, plain === withStripe ? "" : withStripe];
  });
  const more = `\`removeCard: true\` adds to the text: \`${promptView({ code: "APPROVED", removeCard: true }).text}\`.`;
  return lines("## Prompts", table(["code", "text", "if the stripe is taken too"], rows), more);
}

function reasonsPart(): string {
  const rows = Object.entries(REASON_OUTCOMES).flatMap(([code, outcome]) => {
    if (!isReasonCode(code)) return [];
    const { message, advice } = reasonOf(code);
    // An open payment is told to wait; a final one has nothing to wait for.
    return [[`\`${code}\``, outcome, message, `\`${advice === "wait" ? "retry" : advice}\``]];
  });
  return lines(
    "## Reasons",
    "The usual outcome, message and advice of each `reason.code` once the payment is FINAL. When the advice differs: [the guide](register-api.md#advice).",
    table(["code", "outcome", "message", "advice"], rows),
  );
}

const rowsTable = (rows: readonly Row[]): string =>
  table(
    ["name", "type", "required", "meaning"],
    rows.map(({ name, type, required, meaning }) => [`\`${name}\``, type, required ? "yes" : "", meaning]),
  );

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n").replaceAll("|  |", "| |");
}

const exchangeBlock = (exchange: Exchange | undefined): string =>
  exchange === undefined ? "" : `${jsonBlock(exchange.request)}\n${jsonBlock(exchange.response)}`;

function jsonBlock(json: Json | undefined): string {
  if (json === undefined) return "";
  return `\`\`\`json\n${typeof json === "string" ? json : jsonText(json)}\n\`\`\``;
}
