/** What the bridge wrote into the head of this page: `<meta name="posbridge-NAME" content="...">`. */
export function pageMeta(name: "version" | "environment" | "token" | "terminal-page" | "control" | "sandbox"): string | undefined {
  return document.querySelector(`meta[name="posbridge-${name}"]`)?.getAttribute("content") ?? undefined;
}
