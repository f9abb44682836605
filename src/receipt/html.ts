import { qrSvg } from "../kit/qr.ts";
import type { ReceiptLanguage } from "./language.ts";
import type { ReceiptLine } from "./source.ts";

/** Black on white, as wide as the paper; printed without the browser's margins. */
const STYLE = [
  "@page{margin:3mm}",
  "body{margin:0;background:#fff;color:#000;font:13px/1.35 ui-monospace,Menlo,Consolas,monospace}",
  ".receipt{margin:0 auto;padding:8px}",
  "p{margin:0;text-align:center;overflow-wrap:anywhere}",
  ".merchant,.outcome,.amount{font-weight:bold}",
  "dl{margin:6px 0}",
  "dl div{display:flex;justify-content:space-between;gap:1ch}",
  "dd{margin:0;text-align:right;overflow-wrap:anywhere}",
  ".signature{margin-top:36px}",
  "svg{display:block;width:40mm;max-width:100%;margin:8px auto 0}",
].join("");

/**
 * A whole document without scripts, to be printed or shown in a frame. `code`: a text that is drawn as a QR code below.
 */
export function receiptHtml(
  lines: readonly ReceiptLine[],
  columns: number,
  language: ReceiptLanguage,
  code: string | undefined,
): string {
  const title = escaped(lines.find(({ key }) => key === "merchant")?.value ?? "");
  return [
    `<!doctype html>`,
    `<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`,
    `<style>${STYLE}.receipt{width:${columns}ch}</style></head>`,
    `<body><main class="receipt">`,
    ...blocks(lines),
    ...(code === undefined ? [] : [qrSvg(code)]),
    `</main></body></html>`,
    "",
  ].join("\n");
}

/** Neighbouring lines with labels are one list. */
function blocks(lines: readonly ReceiptLine[]): readonly string[] {
  return lines.flatMap(({ key, label, value }, at) => {
    if (label === "") return [`<p class="${className(key)}">${escaped(value)}</p>`];
    const isFirst = (lines[at - 1]?.label ?? "") === "";
    const isLast = (lines[at + 1]?.label ?? "") === "";
    const row = `<div class="${className(key)}"><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></div>`;
    return [`${isFirst ? "<dl>" : ""}${row}${isLast ? "</dl>" : ""}`];
  });
}

/** Keys are this program's own; letters and digits all the same. */
function className(key: string): string {
  return key.replace(/[^A-Za-z0-9]/g, "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
