import { execFileSync } from "node:child_process";

/** Called by vitest before the browser tests: the pages are those of the sources as they stand. */
export function setup(): void {
  execFileSync(process.execPath, ["packaging/pages.ts"], { stdio: "inherit" });
}
