/** The console's views; each has its own address after #. */
export type Route =
  | { readonly at: "overview" }
  | { readonly at: "terminals" }
  | { readonly at: "pair" }
  | { readonly at: "terminal"; readonly id: string }
  | { readonly at: "replace"; readonly id: string }
  | { readonly at: "trace"; readonly id: string }
  | { readonly at: "payments" }
  | { readonly at: "payment"; readonly id: string }
  | { readonly at: "open" }
  | { readonly at: "checks" }
  | { readonly at: "log" }
  | { readonly at: "support" }
  | { readonly at: "unknown"; readonly hash: string };

/** Addresses without parameters. */
const PLAIN: Readonly<Record<string, Route>> = {
  "": { at: "overview" },
  terminals: { at: "terminals" },
  pair: { at: "pair" },
  payments: { at: "payments" },
  open: { at: "open" },
  checks: { at: "checks" },
  log: { at: "log" },
  support: { at: "support" },
};

/** Parses the fragment of the page's address. */
export function routeOf(hash: string): Route {
  const unknown: Route = { at: "unknown", hash };
  const [first = "", name, last, ...more] = hash.replace(/^#?\/?/, "").split("/");
  const id = decoded(name);
  if (name === undefined) return (Object.hasOwn(PLAIN, first) ? PLAIN[first] : undefined) ?? unknown;
  if (id === undefined || id === "" || more.length > 0) return unknown;
  if (first === "payments" && last === undefined) return { at: "payment", id };
  if (first !== "terminals") return unknown;
  if (last === undefined) return { at: "terminal", id };
  return last === "replace" || last === "trace" ? { at: last, id } : unknown;
}

function decoded(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

export function hrefOf(route: Exclude<Route, { at: "unknown" }>): string {
  switch (route.at) {
    case "overview":
      return "#/";
    case "terminal":
      return `#/terminals/${encodeURIComponent(route.id)}`;
    case "replace":
    case "trace":
      return `#/terminals/${encodeURIComponent(route.id)}/${route.at}`;
    case "payment":
      return `#/payments/${encodeURIComponent(route.id)}`;
    default:
      return `#/${route.at}`;
  }
}

/** The title of each view, and its tab. */
export function titleOf(route: Route): string {
  switch (route.at) {
    case "overview":
      return "Overview";
    case "terminals":
      return "Terminals";
    case "pair":
      return "Pair a terminal";
    case "terminal":
      return `Terminal ${route.id}`;
    case "replace":
      return `Replace terminal ${route.id}`;
    case "trace":
      return `Line of terminal ${route.id}`;
    case "payments":
      return "Payments";
    case "payment":
      return "Payment";
    case "open":
      return "Open payments";
    case "checks":
      return "Checks";
    case "log":
      return "Log";
    case "support":
      return "Support bundle";
    case "unknown":
      return "No such view";
  }
}
