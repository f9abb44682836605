import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { targetNames } from "./targets.ts";

export const CHECKSUMS = "SHA256SUMS";

/** Programs, their SBOMs, and Debian packages. */
const MADE = new RegExp(`^(posbridge(-demo)?-(${targetNames.join("|")})(\\.exe|\\.cdx\\.json)?|posbridge_.*\\.deb)$`);

export function sha256Of(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** A line for everything that was made in a folder, as sha256sum(1) writes and checks them. */
export function checksumsOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => MADE.test(name));
  return names
    .sort()
    .map((name) => `${sha256Of(join(folder, name))}  ${name}\n`)
    .join("");
}
