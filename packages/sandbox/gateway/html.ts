import { hash } from "node:crypto";
import type { Reply } from "./exchange.ts";

/** Markup with all outside text escaped; only `html` makes it. */
export interface Html {
  readonly markup: string;
}

/** Text is escaped, markup is kept, lists are joined; undefined and booleans are left out. */
type Part = string | number | boolean | undefined | Html | readonly Html[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.map((string, at) => `${string}${at < parts.length ? markupOf(parts[at]) : ""}`).join("") };
}

function markupOf(part: Part): string {
  if (part === undefined || typeof part === "boolean") return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Safe in text and quoted attributes; the pages put outside text nowhere else. Bidirectional control characters become
 * visible.
 */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, visible);
}

function visible(character: string): string {
  return /[\n\r\t]/.test(character) ? " " : "\u{FFFD}";
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --accent: #0b57d0; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --accent: #a8c7fa; --on-accent: #062e6f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 32rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
body.wide { max-width: 64rem; }
h1 { font-size: 1.4rem; margin: .5rem 0; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
.sandbox { margin: 0 0 1rem; padding: .5rem .75rem; border: 2px dashed #b06000; border-radius: .5rem; font-size: .9rem; }
.amount { font-size: 2rem; font-weight: 600; margin: .25rem 0; }
.problem { padding: .5rem .75rem; border-inline-start: .3rem solid #b3261e; } .problem p { margin: .25rem 0; }
form { display: grid; gap: .75rem; margin: 1rem 0; }
fieldset { display: grid; gap: .75rem; border: 1px solid var(--line); border-radius: .5rem; margin: 0; padding: .75rem; }
label { display: grid; gap: .25rem; }
input { font: inherit; padding: .6rem; min-height: 2.75rem; width: 100%; border: 1px solid #767676; border-radius: .4rem; } ::placeholder { color: inherit; opacity: .7; }
.row { display: grid; gap: .75rem; grid-template-columns: 1fr 1fr; }
button, a.button { font: inherit; padding: .6rem 1rem; min-height: 2.75rem; border-radius: .4rem; border: 1px solid #767676; cursor: pointer; text-align: center; }
button.main, a.button { background: var(--accent); color: var(--on-accent); border-color: var(--accent); font-weight: 600; text-decoration: none; display: inline-block; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; } .scroll { overflow-x: auto; }
th, td { text-align: start; vertical-align: top; padding-block: .3rem; padding-inline: 0 .75rem; border-bottom: 1px solid var(--line); } td, tbody th { overflow-wrap: anywhere; }
thead th, td.money { overflow-wrap: normal; white-space: nowrap; } .money { text-align: end; padding-inline-end: 0; } tbody th { font-weight: 400; min-width: 8rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; } pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0; } dt { font-weight: 600; } dd { margin: 0; }
`;

const STYLE_SOURCE = `'sha256-${hash("sha256", STYLE, "base64")}'`;

/** One page of this gateway for people. */
export interface Page {
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  /**
   * Whether a form leads to the shop in the end. Such a page omits form-action, because browsers apply it across
   * redirects to unknown shop addresses.
   */
  readonly leadsAway?: boolean;
  /** Whether other sites may frame the page; the 3D Secure challenge is made for frames. */
  readonly framed?: boolean;
  /** Wider, for tables. */
  readonly wide?: boolean;
  /** Language (BCP 47) and direction; default English. */
  readonly language?: { readonly tag: string; readonly direction: "ltr" | "rtl" };
}

const ENGLISH = { tag: "en", direction: "ltr" } as const;

/** Without scripts, and its policy forbids them. The referrer is not sent to other sites. */
export function pageReply({
  status = 200,
  title,
  body,
  leadsAway = false,
  framed = false,
  wide = false,
  language = ENGLISH,
}: Page): Reply {
  const policy = [
    `default-src 'none'; style-src ${STYLE_SOURCE}; base-uri 'none'`,
    ...(leadsAway ? [] : ["form-action 'self'"]),
    ...(framed ? [] : ["frame-ancestors 'none'"]),
  ];
  const whole = html`<!doctype html>
<html lang="${language.tag}"${language.direction === "rtl" && html` dir="rtl"`}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${{ markup: STYLE }}</style></head>
<body${wide && html` class="wide"`}><p class="sandbox"${language.tag !== "en" && html` lang="en" dir="ltr"`}><strong>Sandbox:</strong> no money moves here. Use no real card and no real password.</p>
<main><h1>${title}</h1>
${body}</main></body></html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
  };
  return { is: "reply", status, headers, body: whole.markup };
}

/** Whether a page may link there: this gateway, the web or an app, but no script. */
export function isSafeAddress(address: string): boolean {
  if (/^\/(?![/\\])/.test(address)) return true;
  const protocol = URL.parse(address)?.protocol;
  return (
    protocol !== undefined && !["javascript:", "data:", "vbscript:", "blob:", "file:", "about:"].includes(protocol)
  );
}

/** Redirects the browser, always with GET; `otherwise` if the address is undefined or unsafe. */
export function seeOther(address: string | undefined, otherwise: () => Reply): Reply {
  if (address === undefined || !isSafeAddress(address)) return otherwise();
  return { is: "reply", status: 303, headers: { location: address, "referrer-policy": "same-origin" }, body: "" };
}
