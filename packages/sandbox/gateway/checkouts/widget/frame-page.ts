import { hash } from "node:crypto";
import type { WidgetBrand } from "./brands.ts";
import { digitsScript } from "./digits-script.ts";
import { frameScript } from "./frame-script.ts";

interface Field {
  readonly autocomplete: string;
}

/** Card fields in frames of their own, named as inputs and as frame addresses. */
const FIELDS: Readonly<Record<string, Field>> = {
  "card.number": { autocomplete: "cc-number" },
  "card.cvv": { autocomplete: "cc-csc" },
};

const STYLE = `
html, body { height: 100%; margin: 0; background: transparent; }
form { height: 100%; }
input {
  box-sizing: border-box; width: 100%; height: 100%; margin: 0; padding: 0 .75em; border: 0; outline: 0; background: transparent;
  font: 16px/1.4 system-ui, sans-serif; color: #1f2937; direction: ltr;
}
html[dir=rtl] input { text-align: right; }
input::placeholder { color: var(--placeholder, #6b7280); opacity: 1; }
#error { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

export interface FramePages {
  /** The page of one field; undefined: no such field. */
  page(field: string): string | undefined;
  /** The script of the pages, for its hash. */
  readonly script: string;
  /**
   * Allows only this style, this script and the gateway's address. No form-action: browsers apply it across redirects,
   * and the form ends at the shop. Any page may embed it.
   */
  readonly policy: string;
}

/** The frames for a card's secret fields; they know these brands. */
export function framePages(brands: Readonly<Record<string, WidgetBrand>>): FramePages {
  const script = `(() => {\n"use strict";\nconst brands = ${JSON.stringify(brands)};\n${digitsScript}${frameScript}})();\n`;
  return {
    script,
    policy: `default-src 'none'; style-src ${source(STYLE)}; script-src ${source(script)}; connect-src 'self'; base-uri 'none'`,
    page(field) {
      const known = FIELDS[field];
      return known === undefined ? undefined : pageOf(field, known, script);
    },
  };
}

function pageOf(field: string, { autocomplete }: Field, script: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${field}</title><style>${STYLE}</style></head>
<body>
<form novalidate><input name="${field}" type="text" inputmode="numeric" autocomplete="${autocomplete}" spellcheck="false"></form>
<div id="error" role="alert"></div>
<script>${script}</script>
</body>
</html>
`;
}

function source(text: string): string {
  return `'sha256-${hash("sha256", text, "base64")}'`;
}
