import fs from "node:fs";
import path from "node:path";
import { whileHeld } from "../kit/held-file.ts";
import { Secret } from "../kit/secret.ts";
import { systemHold } from "../kit/system-held-file.ts";

/** A reader of this file may command the daemon. The folder's access list (Windows) or mode 0600 (Unix) protects it. */
export function secretFile(dataDir: string): string {
  return path.join(path.resolve(dataDir), "control.secret");
}

/** Written before the daemon listens, so that every client reads the secret of this start. */
export function writeSecret(dataDir: string, secret: Secret<string>): void {
  const file = secretFile(dataDir);
  whileHeld(systemHold, () => fs.writeFileSync(file, `${secret.reveal()}\n`, { mode: 0o600 }));
}

/** Undefined: there is none. Throws if this user may not read it. */
export function readSecret(dataDir: string): Secret<string> | undefined {
  const file = secretFile(dataDir);
  return fs.existsSync(file) ? new Secret(fs.readFileSync(file, "utf8").trim()) : undefined;
}

/** A leftover secret is useless: the next daemon makes its own. */
export function removeSecret(dataDir: string): void {
  try {
    fs.rmSync(secretFile(dataDir), { force: true });
  } catch {
    // On a read-only folder the file stays; its secret is no longer valid.
  }
}
