import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { CertificateBook } from "../certificates/book.ts";
import {
  AUTHORITY,
  BRIDGE_KEY,
  type CertificateFile,
  type CertificateStore,
  type StoredFile,
} from "../certificates/files.ts";
import { writeDurably } from "../journal/durable-file.ts";
import type { Clock } from "../kit/clock.ts";
import { privacyProblem, tamperProblem } from "../kit/path-access.ts";
import { systemClock } from "../kit/system-clock.ts";
import { systemAccess } from "../kit/system-path-access.ts";
import { systemRandom } from "../kit/system-random.ts";

const FOLDER = "certificates";

/** The certificates below a data folder that is checked already. */
function certificateStore(dataDir: string): CertificateStore {
  const folder = path.join(path.resolve(dataDir), FOLDER);
  const pathOf = (file: CertificateFile): string => path.join(folder, file);
  // Root may look at the folder of the service's user.
  const owner = (): number => fs.statSync(dataDir).uid;
  return {
    path: pathOf,
    read: (file) => readFile(pathOf(file), owner, file === AUTHORITY || file === BRIDGE_KEY),
    write: (file, text) => {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeDurably(pathOf(file), text);
    },
  };
}

function readFile(file: string, owner: () => number, isPrivate: boolean): StoredFile {
  if (!fs.existsSync(file)) return { is: "absent" };
  try {
    const access = systemAccess(file);
    const problem = (isPrivate ? privacyProblem(access, file) : undefined) ?? tamperProblem(access, owner());
    return problem === undefined ? { is: "file", text: fs.readFileSync(file, "utf8") } : { is: "refused", problem };
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    return { is: "refused", problem: `cannot be read (${why}); change its owner or mode` };
  }
}

/** The certificates of a data folder. */
export interface Certificates {
  readonly store: CertificateStore;
  /** There is an authority, usable or not. */
  isMade(): boolean;
  /** Loads what writes certificates: most shops never need it. */
  book(): Promise<CertificateBook>;
}

export function certificatesIn(dataDir: string, clock: Pick<Clock, "now"> = systemClock): Certificates {
  const store = certificateStore(dataDir);
  const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  return {
    store,
    isMade: () => fs.existsSync(store.path(AUTHORITY)),
    book: async () => {
      const { certificateBook } = await import("../certificates/book.ts");
      return certificateBook({ store, clock, random: systemRandom, newKey });
    },
  };
}
