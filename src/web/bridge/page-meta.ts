/** The bridge's meta elements in this page's head: `<meta name="posbridge-NAME" content="...">`. */
export function pageMeta(
  name: "version" | "environment" | "token" | "terminal-page" | "control" | "sandbox",
): string | undefined {
  return document.querySelector(`meta[name="posbridge-${name}"]`)?.getAttribute("content") ?? undefined;
}
