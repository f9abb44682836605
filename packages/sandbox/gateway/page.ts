import { endpoints } from "./endpoints.ts";
import type { Reply } from "./exchange.ts";
import { type Html, html, pageReply } from "./html.ts";
import { type TestDataSection, testDataLines, testDataSections } from "./test-data.ts";

interface Asked {
  readonly entityIds: readonly string[];
  /** The request's Accept header: browsers name HTML, programs do not. */
  readonly accept: string | undefined;
  /** The address by which the caller reached the gateway, without a final slash. */
  readonly base: string;
}

/** The sandbox's front page: HTML for browsers, plain text otherwise. */
export function page({ entityIds, accept = "", base }: Asked): Reply {
  return accept.includes("text/html") ? forBrowsers(entityIds, base) : asText(entityIds, base);
}

/** The endpoints with their callers, then the test data. */
function allSections(): readonly TestDataSection[] {
  const rows = endpoints.map(
    ({ method, path, caller }) =>
      [`${method} ${path}`, caller === "merchant" ? "access token" : "a browser, without a token"] as const,
  );
  return [{ title: "Endpoints", rows }, ...testDataSections];
}

function asText(entityIds: readonly string[], base: string): Reply {
  const lines = [
    ...["posbridge sandbox gateway: no money moves here.", "", `Entities: ${entityIds.join(", ")}`, ""],
    ...[...testDataLines(allSections()), "The hosted form in a page", ...snippet(base).map((line) => `  ${line}`), ""],
  ];
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff", vary: "accept" };
  return { is: "reply", status: 200, headers, body: lines.join("\n") };
}

/** Specification, "Endpoints": the page of a shop for a checkout that it created. */
function snippet(base: string): readonly string[] {
  return [
    `<script src="${base}/v1/paymentWidgets.js?checkoutId=CHECKOUT_ID"></script>`,
    '<form action="https://shop.example/result" class="paymentWidgets" data-brands="VISA MASTER PAYPAL"></form>',
  ];
}

function forBrowsers(entityIds: readonly string[], base: string): Reply {
  const sections = allSections();
  const reply = pageReply({
    ...{ title: "posbridge sandbox gateway", wide: true },
    body: html`<p>The payment gateway of the specification on this machine. Programs reach it at <code>${base}/</code> with an access token.</p>
<h2>Entities</h2><ul>${entityIds.map((entityId) => html`<li><code>${entityId}</code></li>`)}</ul>
<nav aria-label="On this page"><ul>${sections.map((section) => html`<li><a href="#${anchorOf(section)}">${section.title}</a></li>`)}<li><a href="#widget">The hosted form</a></li></ul></nav>
${sections.map(table)}
<h2 id="widget">The hosted form in a page</h2><pre tabindex="0">${snippet(base).join("\n")}</pre>`,
  });
  return { ...reply, headers: { ...reply.headers, vary: "accept" } };
}

function table(section: TestDataSection): Html {
  const { title, note, rows } = section;
  return html`<h2 id="${anchorOf(section)}">${title}</h2>${note !== undefined && html`<p>${note}</p>`}
<div class="scroll" tabindex="0" role="region" aria-labelledby="${anchorOf(section)}"><table><tbody>
${rows.map(
  ([key, text]) => html`<tr><th scope="row"><code>${key}</code></th><td>${text}</td></tr>
`,
)}</tbody></table></div>`;
}

function anchorOf({ title }: TestDataSection): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
