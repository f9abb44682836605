import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type CertificateBook, certificateBook } from "../../../src/certificates/book.ts";
import {
  BRIDGE,
  type CertificateFile,
  type CertificateStore,
  type StoredFile,
} from "../../../src/certificates/files.ts";
import { parseReach } from "../../../src/certificates/reach.ts";
import { serverCertificate } from "../../../src/certificates/x509.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

export const DAY_MS = 86_400_000;

/** The certificates of a shop's machine, in memory. */
export interface ShopCertificates {
  readonly book: CertificateBook;
  readonly clock: VirtualClock;
  readonly files: Map<CertificateFile, StoredFile>;
  readonly store: CertificateStore;
  text(file: CertificateFile): string;
  /** A server's certificate with these names by the authority's own key, as its thief would write it. */
  stolen(...hosts: readonly string[]): { readonly cert: string; readonly key: string };
}

export function shopCertificates(now: number): ShopCertificates {
  const clock = createVirtualClock(now);
  const files = new Map<CertificateFile, StoredFile>();
  const store: CertificateStore = {
    path: (file) => `/data/certificates/${file}`,
    read: (file) => files.get(file) ?? { is: "absent" },
    write: (file, text) => void files.set(file, { is: "file", text }),
  };
  const random = seededRandom(1);
  const book = certificateBook({ store, clock, random, newKey });
  const text = (file: CertificateFile): string => {
    const stored = store.read(file);
    if (stored.is !== "file") throw new Error(`${file} is ${stored.is}`);
    return stored.text;
  };
  return {
    ...{ book, clock, files, store, text },
    stolen: (...hosts) => {
      const reading = parseReach(hosts, []);
      const listed = book.list();
      if (!reading.ok || !listed.ok) throw new Error("no authority, or no names");
      const [authority] = listed.value;
      const authorityKey = createPrivateKey(text("authority.pem"));
      const own = pairOf(newKey());
      const draft = {
        ...{ serial: random.bytes(16), subject: "thief", publicKey: own.publicKey, reach: reading.reach },
        ...{ validFrom: clock.now() - DAY_MS, validTo: clock.now() + DAY_MS },
      };
      const cert = serverCertificate(draft, { subject: authority?.subject ?? "", ...pairOf(authorityKey) });
      return { cert, key: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
    },
  };
}

/** A machine that has made its certificates. */
export function madeCertificates(
  now: number,
  hosts = ["bridge.shop.example", "192.168.1.20"],
  networks: readonly string[] = [],
): ShopCertificates {
  const shop = shopCertificates(now);
  const made = shop.book.create({ hosts, networks, replace: false });
  if (!made.ok) throw new Error(made.message);
  return shop;
}

export function servedBy(shop: ShopCertificates): { readonly cert: string; readonly key: string } {
  return { cert: shop.text(BRIDGE), key: shop.text("bridge.key") };
}

function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

function pairOf(privateKey: KeyObject): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
