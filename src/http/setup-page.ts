import { escapeHtml } from "./front-page.ts";
import type { Pages } from "./pages.ts";

/** Content of the page while a usable configuration is missing. */
export interface SetupPage {
  readonly version: string;
  /** The expected path of the file. */
  readonly file: string;
  /** The command to type. */
  readonly command: string;
  /** Problems of an existing file; empty: there is no file. */
  readonly problems: readonly string[];
}

/** The page at `/` until there is a configuration: text without script and form. Made for each request. */
export function setupPages(said: () => SetupPage): Pages {
  return {
    file: (path) => {
      if (path !== "/") return undefined;
      return {
        type: "text/html; charset=utf-8",
        body: Buffer.from(setupPage(said())),
        gzip: undefined,
        lasting: false,
        reaches: [],
      };
    },
  };
}

const MOST_PROBLEMS = 20;

export function setupPage({ version, file, command, problems }: SetupPage): string {
  const wrong = problems.slice(0, MOST_PROBLEMS).map((problem) => `<li><code>${escapeHtml(problem)}</code></li>`);
  const stands =
    problems.length === 0
      ? `<p>There is no configuration at <code>${escapeHtml(file)}</code>. Nothing is sold before there is one.</p>`
      : `<p>The configuration at <code>${escapeHtml(file)}</code> cannot be used yet. Nothing is sold before it can.</p>\n<ul>\n${wrong.join("\n")}\n</ul>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>posbridge: set up</title>
<h1>posbridge is not set up yet</h1>
${stands}
<h2>What to do</h2>
<p>On this machine, type:</p>
<pre>${escapeHtml(command)}</pre>
<p>It asks for five things. Have them at hand:</p>
<ol>
<li>The address of the payment gateway, for a test or for live payments.</li>
<li>The entity id: 32 hexadecimal digits, from the gateway's administration.</li>
<li>The access token, from the same place.</li>
<li>The shop's name and country, as they stand on receipts.</li>
<li>The card terminal, plugged in and switched on, and its terminal id from the acquirer.</li>
</ol>
<p>Then the bridge starts by itself. Load this page again after a few seconds.</p>
<p>Version ${escapeHtml(version)}. <a href="/readyz">readyz</a> says why it is not ready.</p>
</html>
`;
}
