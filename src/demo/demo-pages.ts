import type { ServedPages } from "../agent/serving.ts";
import { builtPages } from "../commands/built-pages.ts";
import type { Secret } from "../kit/secret.ts";

/** The registers of the demo's pages; each page has its own token, created when the demo starts. */
export const PAGE_REGISTERS = {
  "/till/": { register: "demo-till", scopes: ["payments", "refunds", "unlinked-refunds", "stored-cards"] },
  "/console/": { register: "demo-console", scopes: ["payments:all", "technician"] },
  "/terminal/": { register: "demo-terminal", scopes: ["payments", "payments:all", "technician"] },
} as const;
type PagePath = keyof typeof PAGE_REGISTERS;

/** Addresses of the simulated terminal's controls and the sandbox gateway. */
export interface BehindTheTerminal {
  readonly controlUrl: string;
  readonly sandboxUrl: string;
}

/** The demo's pages; tokens arrive while the demo starts. */
export interface DemoPages {
  readonly served: ServedPages | undefined;
  give(path: PagePath, token: Secret<string>): void;
}

/** Each page gets its token, so nobody has to paste one. Undefined `served` without `npm run pages`. */
export function demoPages(behind: BehindTheTerminal): DemoPages {
  const built = builtPages("demo");
  const tokens = new Map<string, Secret<string>>();
  const meta = (path: string): Readonly<Record<string, string>> => ({
    "terminal-page": "/terminal/",
    ...(path === "/terminal/" && { control: behind.controlUrl, sandbox: behind.sandboxUrl }),
    ...(tokens.has(path) && { token: tokens.get(path)?.reveal() ?? "" }),
  });
  const reaches = (path: string): readonly string[] =>
    path === "/terminal/" ? [behind.controlUrl, behind.sandboxUrl].map((url) => new URL(url).origin) : [];
  return { served: built && { built, meta, reaches }, give: (path, token) => void tokens.set(path, token) };
}
