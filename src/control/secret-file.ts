import fs from "node:fs";
import path from "node:path";
import { whileHeld } from "../kit/held-file.ts";
import { Secret } from "../kit/secret.ts";
import { systemHold } from "../kit/system-held-file.ts";

/** Who can read it may give the daemon orders. On Windows the folder's access list closes it, on Unix its mode 0600. */
export function secretFile(dataDir: string): string {
  return path.join(path.resolve(dataDir), "control.secret");
}

/** Written before the daemon listens, so that whoever reaches it reads the secret of this start. */
export function writeSecret(dataDir: string, secret: Secret<string>): void {
  const file = secretFile(dataDir);
  whileHeld(systemHold, () => fs.writeFileSync(file, `${secret.reveal()}\n`, { mode: 0o600 }));
}

/** Undefined where there is none. Throws where this user may not read it. */
export function readSecret(dataDir: string): Secret<string> | undefined {
  const file = secretFile(dataDir);
  return fs.existsSync(file) ? new Secret(fs.readFileSync(file, "utf8").trim()) : undefined;
}

/** A secret that stays behind proves nothing to the next daemon, which makes its own. */
export function removeSecret(dataDir: string): void {
  try {
    fs.rmSync(secretFile(dataDir), { force: true });
  } catch {
    // A folder that takes no writing keeps it; nobody listens for it any more.
  }
}
