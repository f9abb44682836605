import type { CertificateBook } from "../certificates/book.ts";
import { BRIDGE, BRIDGE_KEY, type CertificateStore } from "../certificates/files.ts";
import type { Configuration, TlsIdentity } from "../config/configuration.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import { Secret } from "../kit/secret.ts";
import type { Log } from "../observe/log.ts";

/*
 * The bridge's own certificate in use: renewed before a start and while the bridge runs, and served at once if a command
 * makes a new one.
 */

const LOOK_MS = 6 * 3_600_000;

interface Renewing {
  /** There is an authority. */
  isMade(): boolean;
  book(): Promise<Pick<CertificateBook, "renew">>;
  readonly log: Pick<Log, "info" | "error">;
}

/** The configuration with a new certificate, if this machine's authority issued the listener's and its end is near. */
export async function withRenewedCertificate(file: Configuration, renewing: Renewing): Promise<Configuration> {
  const renewed = await renewedOf(file.listen.tls, renewing);
  return renewed === undefined ? file : { ...file, listen: { ...file.listen, tls: renewed } };
}

export interface CertificateWatch extends Renewing {
  readonly clock: Clock;
  /** The listener's identity in effect. */
  served(): TlsIdentity | undefined;
  certify(tls: TlsIdentity): Promise<void>;
}

/** Renews the served certificate before its end. Open sockets keep theirs. The returned function stops this. */
export function watchCertificate({ clock, served, certify, ...renewing }: CertificateWatch): Cancel {
  let next: Cancel = () => undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const renewed = await renewedOf(served(), renewing);
    if (renewed === undefined) return;
    await certify(renewed).catch((cause: unknown) => tellFailure(renewing.log, cause));
  };
  const begin = (): void => {
    void look().then(() => {
      if (!isStopped) next = clock.after(LOOK_MS, begin);
    });
  };
  next = clock.after(LOOK_MS, begin);
  return () => {
    isStopped = true;
    next();
  };
}

async function renewedOf(
  tls: TlsIdentity | undefined,
  { isMade, book, log }: Renewing,
): Promise<TlsIdentity | undefined> {
  if (tls === undefined || !isMade()) return undefined;
  try {
    const renewed = (await book()).renew(tls.cert);
    if (!renewed.ok) tellFailure(log, renewed.message);
    if (!renewed.ok || renewed.value === undefined) return undefined;
    log.info({ audit: true }, "the bridge's certificate was renewed by this machine's authority");
    return { cert: renewed.value.cert, key: new Secret(renewed.value.key) };
  } catch (cause) {
    tellFailure(log, cause);
    return undefined;
  }
}

function tellFailure(log: Pick<Log, "error">, cause: unknown): void {
  const error = cause instanceof Error ? cause.message : String(cause);
  log.error({ alarm: true, error }, "the bridge's certificate could not be renewed; it is tried again in six hours");
}

/** Serves the certificate just made, if the listener has the key of this machine's own. False: it has another. */
export async function serveMade(
  store: CertificateStore,
  { served, certify }: Pick<CertificateWatch, "served" | "certify">,
): Promise<boolean> {
  const [cert, key] = [store.read(BRIDGE), store.read(BRIDGE_KEY)];
  if (cert.is !== "file" || key.is !== "file" || served()?.key.reveal() !== key.text) return false;
  await certify({ cert: cert.text, key: new Secret(key.text) });
  return true;
}
