export interface FrontPage {
  readonly version: string;
  readonly environment: "test" | "live";
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** The page at `/`: describes the bridge and links to its other pages. */
export function frontPage({ version, environment }: FrontPage): string {
  const mark = environment === "test" ? " <strong>TEST</strong>" : "";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>posbridge${environment === "test" ? " (TEST)" : ""}</title>
<h1>posbridge${mark}</h1>
<p>The bridge between cash registers, card terminals and a payment gateway. Version ${escapeHtml(version)}.</p>
<ul>
<li>Registers connect to the WebSocket <code>/v1</code> and speak JSON-RPC 2.0; <a href="/openrpc.json">openrpc.json</a> describes every call.</li>
<li><a href="/healthz">healthz</a>: the process is up. <a href="/readyz">readyz</a>: payments may be started. <a href="/metrics">metrics</a>: figures for Prometheus.</li>
</ul>
</html>
`;
}
