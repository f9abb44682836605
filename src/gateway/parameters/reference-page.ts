import type { Chapter, Parameter } from "./chapter.ts";
import { chaptersOf, type Endpoint } from "./endpoints.ts";
import { mayPass } from "./passthrough.ts";
import { specification } from "./specification.ts";

/** The endpoints' names on the page, and their requests. */
const REQUESTS: Readonly<Record<Endpoint, string>> = {
  payment: "`POST /v1/payments`",
  reference: "`POST /v1/payments/{id}`: capture, reversal, refund, rebill, receipt, chargeback",
  registration: "`POST /v1/registrations`",
  registrationPayment: "`POST /v1/registrations/{id}/payments`",
  deletion: "`DELETE /v1/registrations/{id}`, `DELETE /v1/schedules/{id}`",
  schedule: "`POST /v1/schedules`",
  checkout: "`POST /v1/checkouts`",
  checkoutUpdate: "`POST /v1/checkouts/{id}`",
  checkoutSubmission: "`POST /v1/checkouts/{id}/payment`, by the hosted form",
  read: "`GET` of one payment, registration or checkout's outcome, and `GET /v1/query/{id}`",
  query: "`GET /v1/query`",
  pagedQuery: "`GET /v3/query`",
  aggregations: "`GET .../reconciliations/aggregations`",
  aggregation: "`GET .../reconciliations/aggregations/{id}`",
  link: "`POST /paybylink/v1`",
  linkRead: "`GET /paybylink/v1/{id}` and below",
};

const endpoints: readonly Endpoint[] = Object.keys(REQUESTS).filter((name): name is Endpoint =>
  Object.hasOwn(chaptersOf, name),
);

/** docs/parameters.md, chapter by chapter. */
export function referencePage(): string {
  const opening = [
    "# The gateway's parameters",
    "",
    "Made from `src/gateway/parameters` by `npm run parameters-page`; what is changed here by hand is lost. Every parameter that a request to the gateway may have: its format, the",
    'specification\'s "required", where it may be sent, and whether a register may say it in `payment.start` (as nested JSON: `cart.items[0].name` is `cart: { items: [{ name }] }`).',
    "`amount`, `currency`, `createRegistration`, `numberOfCaptures` and the name of `overrideHolder` are said to the bridge itself ([the register API](register-reference.md#paymentstart)).",
    "`[n]` is an index, `[key]` a name of the sender's choice, `<network>` a lower-case word. A length counts characters.",
    "",
    "| where | request |",
    "|---|---|",
    ...endpoints.map((endpoint) => `| ${endpoint} | ${REQUESTS[endpoint]} |`),
    "",
    "A payment, a registration and a submission take exactly one account: a card, a wallet, a virtual account, a bank account, a token account, a sealed card of a terminal, or a token.",
    "",
  ];
  return `${[...opening, ...specification.flatMap(section)].join("\n").trimEnd()}\n`;
}

function section(chapter: Chapter): readonly string[] {
  const places = chapter.parameters.map((parameter) => whereSent(chapter, parameter));
  const [usual = []] = places.toSorted((one, other) => timesIn(places, other) - timesIn(places, one));
  return [
    `## ${chapter.title}`,
    "",
    `- Where: ${usual.join(", ")}.`,
    ...chapter.notes.map((note) => `- ${note}`),
    "",
    "| parameter | format | need | register | where differs |",
    "|---|---|---|---|---|",
    ...chapter.parameters.map((parameter, at) => row(parameter, difference(usual, places[at] ?? []))),
    "",
  ];
}

type Places = readonly Endpoint[];

const timesIn = (places: readonly Places[], place: Places): number =>
  places.filter((each) => each.join() === place.join()).length;

function whereSent({ title }: Chapter, { name }: Parameter): Places {
  const takes = (endpoint: Endpoint): boolean =>
    chaptersOf[endpoint].some(
      (chapter) => chapter.title === title && chapter.parameters.some((parameter) => parameter.name === name),
    );
  return endpoints.filter(takes);
}

/** The difference between a parameter's places and its chapter's: "also query", "not link". */
function difference(usual: Places, own: Places): string {
  const also = own.filter((endpoint) => !usual.includes(endpoint));
  const not = usual.filter((endpoint) => !own.includes(endpoint));
  if (own.length < not.length) return `only ${own.join(", ")}`;
  return [also.length === 0 ? "" : `also ${also.join(", ")}`, not.length === 0 ? "" : `not ${not.join(", ")}`]
    .filter((text) => text !== "")
    .join("; ");
}

function row(parameter: Parameter, where: string): string {
  return `| \`${parameter.name}\` | ${inWords(parameter)} | ${parameter.need} | ${mayPass(parameter.name) ? "yes" : ""} | ${where} |`;
}

function inWords({ format, key }: Parameter): string {
  const listed = /^list of =(.*)$/.exec(format.notation)?.[1]?.replaceAll("|", ", ");
  const value = `${format.message.replace(/^must (?:be )?/, "")}${listed === undefined ? "" : `: ${listed}`}`;
  const name = key === undefined ? "" : `; the name: ${key.message.replace(/^must (?:be |have a name of )?/, "")}`;
  return `${value}${name}`.replaceAll("|", "\\|").replaceAll("*", "\\*").replaceAll("#", "\\#");
}
