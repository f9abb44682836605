import { type Granted, granted, refused } from "../../payment/request.ts";
import type { TokenRights, Tokens } from "../ports.ts";
import type { PairingDecision, RegisterPairing } from "./desk.ts";
import { type BridgeKey, hasSigned, isPublicKey, sha256 } from "./keys.ts";
import {
  bridgeText,
  codeOf,
  codeText,
  commitmentText,
  isLocalhost,
  NO_ORIGIN,
  type Place,
  registerText,
} from "./texts.ts";

/** A socket as the bridge itself sees it. */
export interface SocketFacts {
  /** New for each socket. */
  readonly nonce: string;
  readonly place: Place;
  /** The other side is this machine. */
  readonly isLocal: boolean;
  /** The other side's address and port. */
  readonly from: string;
}

export interface IntroductionPorts {
  readonly socket: SocketFacts;
  readonly key: BridgeKey;
  readonly registers: RegisterPairing;
  readonly tokens: Tokens;
  /** The register waits for its decision. */
  asked(): void;
  /** A technician has decided, or the time is over. */
  decided(decision: PairingDecision): void;
}

/** How bridge and register prove themselves on one socket, before its session. */
export interface Introduction {
  /** The bridge's signature. */
  challenge(challenge: string): Granted<{ readonly signature: string }>;
  pair(request: PairingRequest): Promise<Granted<{ readonly code: string; readonly expiresAt: string }>>;
  /** The rights of a paired key, if it signed for this socket. */
  prove(key: string, signature: string): Promise<Granted<TokenRights>>;
  close(): void;
}

export interface PairingRequest {
  readonly name: string;
  readonly key: string;
  readonly secret: string;
}

/** Enough for a proof and a pairing. More would let a program in between try for a code of its choice. */
const MOST_CHALLENGES = 4;

export function openIntroduction({
  socket,
  key: own,
  registers,
  tokens,
  asked: told,
  decided,
}: IntroductionPorts): Introduction {
  const { nonce, place, from } = socket;
  const { origin, address } = place;
  let challenges = 0;
  let answered: { readonly challenge: string; readonly signature: string } | undefined;
  let leave: (() => void) | undefined;
  let closed = false;

  const pair = async (request: PairingRequest): Promise<Granted<{ code: string; expiresAt: string }>> => {
    const refusal = mayPair(socket) ?? (await keyProblem(tokens, request.key));
    if (refusal !== undefined) return refusal;
    const committed = sha256(commitmentText(request)).toString("base64url");
    if (answered?.challenge !== committed) return notCommitted;
    const { signature } = answered;
    const code = codeOf(sha256(codeText({ ...request, bridge: own.public, signature })));
    // The socket may have ended while the key was looked up.
    if (closed) return refused("not-allowed", "this socket has ended", "retry");
    const { name, key } = request;
    const asked = registers.ask({ code, name, key, origin, address, from }, (decision) => {
      leave = undefined;
      decided(decision);
    });
    if (!asked.ok) return asked;
    // A code counts once, whatever name is asked for next.
    answered = undefined;
    leave = asked.value.leave;
    told();
    return granted({ code, expiresAt: asked.value.expiresAt });
  };
  return {
    pair,
    challenge: (challenge) => {
      challenges += 1;
      if (challenges > MOST_CHALLENGES)
        return refused("too-many-requests", `at most ${MOST_CHALLENGES} challenges on one socket`, "fix-request");
      const signature = own.sign(bridgeText({ challenge, nonce, address }));
      answered = { challenge, signature };
      return granted({ signature });
    },
    prove: async (key, signature) => {
      const found = await tokens.findKey(key);
      if (found === undefined) return notPaired;
      if ("damaged" in found) return refused("unauthorized", found.damaged, "fix-config", "key");
      const { origin: paired, ...rights } = found;
      if (paired !== origin) return otherOrigin(paired, origin);
      if (isLocalhost(address)) return refused("unauthorized", NOT_LOCALHOST, "fix-request", "signature");
      const text = registerText({ bridge: own.public, nonce, origin, address });
      return hasSigned(key, text, signature) ? granted(rights) : notSigned(place);
    },
    close: () => {
      closed = true;
      leave?.();
    },
  };
}

function mayPair({ place, isLocal }: SocketFacts): Granted<never> | undefined {
  if (isLocalhost(place.address)) return refused("not-allowed", NOT_LOCALHOST, "fix-request");
  if (place.origin !== NO_ORIGIN || isLocal) return undefined;
  return refused(
    "not-allowed",
    "a program of another machine cannot be paired: make a token for it with `posbridge tokens create`",
    "fix-config",
  );
}

async function keyProblem(tokens: Tokens, key: string): Promise<Granted<never> | undefined> {
  if (!isPublicKey(key))
    return refused("not-allowed", "key is no point of the curve P-256: make a new key", "fix-request", "key");
  if ((await tokens.findKey(key)) === undefined) return undefined;
  return refused("not-allowed", "this key is paired already: call session.open with it", "fix-request", "key");
}

const NOT_LOCALHOST = "the name localhost may lead to another program: connect to 127.0.0.1 or [::1]";

const notCommitted = refused(
  "not-allowed",
  "call session.challenge first, with the SHA-256 that binds this key and secret",
  "fix-request",
  "secret",
);

const notPaired = refused(
  "unauthorized",
  "this key is not paired here, or was revoked: pair it by session.pair",
  "fix-config",
  "key",
);

function otherOrigin(paired: string, origin: string): Granted<never> {
  const words = `this key was paired for origin ${paired}, and this socket has origin ${origin}: pair a key for it`;
  return refused("unauthorized", words, "fix-config", "key");
}

function notSigned({ origin, address }: Place): Granted<never> {
  const words = `the signature does not fit: sign this socket's nonce, origin ${origin} and address ${address}, and connect to that address`;
  return refused("unauthorized", words, "fix-request", "signature");
}
