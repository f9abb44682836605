import type { Cancel, Clock } from "../kit/clock.ts";
import { systemClock } from "../kit/system-clock.ts";
import {
  addressOf,
  bridgeText,
  codeOf,
  codeText,
  commitmentText,
  isLocalhost,
  NO_ORIGIN,
  registerText,
} from "../register/pairing/texts.ts";
import {
  challengeResultSchema,
  pairedSchema,
  pairingRefusedSchema,
  sessionPairResultSchema,
} from "../register/rpc/schemas.ts";
import type { Hello } from "./api.ts";
import type { Calls } from "./calls.ts";
import { openLine } from "./line.ts";
import { hasSigned, newRegisterKey, randomText, sha256, signText, toBase64url } from "./pairing-crypto.ts";
import type { PairingStore } from "./pairing-store.ts";
import { readTolerantly } from "./tolerant.ts";
import { type OpenSocket, platformSocket } from "./wire-socket.ts";

/** Whoever answers could not prove the bridge's key. Only random bytes were sent to it. */
export class NotThisBridge extends Error {
  readonly code = "not-this-bridge";

  constructor(what: string) {
    super(`this is not the bridge: ${what}`);
    this.name = "NotThisBridge";
  }
}

/** The register has no pairing in its store: pair it first. */
export class NotPaired extends Error {
  readonly code = "not-paired";

  constructor() {
    super("this register is not paired with the bridge: pair it first");
    this.name = "NotPaired";
  }
}

/** A technician refused, or nobody decided in time. */
export class PairingRefused extends Error {
  readonly reason: "refused" | "expired";

  constructor(reason: "refused" | "expired") {
    super(reason === "refused" ? "a technician refused the pairing" : "nobody approved the code in time");
    this.name = "PairingRefused";
    this.reason = reason;
  }
}

/** One socket to a bridge, as far as proofs need it. */
export interface ProofLine {
  readonly url: string;
  readonly hello: Hello;
  readonly call: Calls["call"];
  /** The page's Origin, or `none`. */
  readonly origin: string;
}

export interface PairOptions {
  /** ws://127.0.0.1:7717/v1, never by the name localhost. */
  readonly url: string;
  /** The register's name, as a technician sees it. */
  readonly name: string;
  readonly store: PairingStore;
  /** Show this to whoever stands at the till, until the result comes. */
  readonly onCode: (shown: { readonly code: string; readonly expiresAt: string }) => void;
  /** Ends the pairing. */
  readonly signal?: AbortSignal;
  readonly openSocket?: OpenSocket;
  /** The Origin that `openSocket` sends, where it is not the page's own. */
  readonly origin?: string;
  readonly clock?: Clock;
}

/** The bridge's five minutes for a code, and half a minute for the way. */
const MOST_WAIT_MS = 330_000;

export interface PairedAs {
  readonly register: string;
  readonly scopes: readonly string[];
}

/**
 * Pairs this register with a bridge, and keeps its key in the store. Rejects with NotThisBridge, PairingRefused,
 * CallRefused or ConnectionLost.
 */
export async function pairRegister(options: PairOptions): Promise<PairedAs> {
  const {
    url,
    name,
    store,
    onCode,
    signal,
    openSocket = platformSocket,
    origin = pageOrigin(),
    clock = systemClock,
  } = options;
  literalAddressOf(url);
  signal?.throwIfAborted();
  const decided = Promise.withResolvers<PairedAs>();
  // The caller gets a rejection from whichever step fails first.
  decided.promise.catch(() => undefined);
  const onNotification = (method: string, params: unknown): void => {
    if (method === "session.paired") decided.resolve(readTolerantly(pairedSchema, params, method));
    if (method === "session.pairingRefused")
      decided.reject(new PairingRefused(readTolerantly(pairingRefusedSchema, params, method).reason));
  };
  const line = openLine({ url, openSocket, onNotification, onChange: () => undefined });
  const abort = (): void => {
    decided.reject(signal?.reason);
    line.close();
  };
  signal?.addEventListener("abort", abort);
  void line.closed.then(decided.reject);
  let cancel: Cancel | undefined;
  try {
    const hello = await line.hello;
    const key = await newRegisterKey(store.isExtractable);
    const asked = await askCode({ url, hello, call: line.calls.call, origin }, name, key.publicKey);
    onCode(asked);
    // The far end may vanish without a word, or name a time of its own.
    cancel = clock.after(MOST_WAIT_MS, () => decided.reject(new PairingRefused("expired")));
    const paired = await decided.promise;
    await store.keep({ key, bridge: hello.key, register: paired.register });
    return paired;
  } finally {
    cancel?.();
    signal?.removeEventListener("abort", abort);
    line.close();
  }
}

async function askCode(
  line: ProofLine,
  name: string,
  key: string,
): Promise<{ readonly code: string; readonly expiresAt: string }> {
  const secret = randomText();
  const challenge = toBase64url(await sha256(commitmentText({ key, secret })));
  const signature = await provenBy(line, line.hello.key, challenge);
  const { expiresAt, ...told } = await line.call("session.pair", { name, key, secret }, sessionPairResultSchema);
  const code = codeOf(await sha256(codeText({ key, bridge: line.hello.key, secret, signature })));
  if (told.code !== code) throw new NotThisBridge("it tells another code than both keys make");
  return { code, expiresAt };
}

/** The fields of `session.open` that stand in place of a token. The bridge proves itself first. */
export async function credentialsFor(
  line: ProofLine,
  store: Pick<PairingStore, "read">,
): Promise<{ readonly key: string; readonly signature: string }> {
  const kept = await store.read();
  if (kept === undefined) throw new NotPaired();
  const { key, bridge } = kept;
  const { hello, origin, url } = line;
  if (hello.key !== bridge) throw new NotThisBridge("its key is not the one that this register was paired with");
  await provenBy(line, bridge, randomText());
  const text = registerText({ bridge, nonce: hello.nonce, origin, address: literalAddressOf(url) });
  return { key: key.publicKey, signature: await signText(key, text) };
}

async function provenBy({ url, hello, call }: ProofLine, bridge: string, challenge: string): Promise<string> {
  const { signature } = await call("session.challenge", { challenge }, challengeResultSchema);
  const text = bridgeText({ challenge, nonce: hello.nonce, address: literalAddressOf(url) });
  if (!(await hasSigned(bridge, text, signature))) throw new NotThisBridge(`it has not proved its key at ${url}`);
  return signature;
}

/** The page's Origin; programs have none. */
export function pageOrigin(): string {
  const origin: unknown = Reflect.get(globalThis, "origin");
  return typeof origin === "string" ? origin : NO_ORIGIN;
}

function literalAddressOf(url: string): string {
  const address = addressOf(url);
  if (address === undefined) throw new TypeError(`${url} is no address of a bridge: use ws://127.0.0.1:7717/v1`);
  if (isLocalhost(address))
    throw new TypeError(`${url}: localhost may lead to another program; use 127.0.0.1 or [::1] in its place`);
  return address;
}
