import type { WireError } from "./api.ts";

/**
 * The bridge refused a call; each code has a class of its own (`refusals.ts`). `advice` says what to do; `path` names
 * the field; `reference` and `register` name the payment in the way; a refund limit has `per`, `limit` and `left`.
 */
export class CallRefused extends Error {
  readonly code: string;
  readonly advice: WireError["data"]["advice"];
  readonly path: string | undefined;
  readonly reference: string | undefined;
  readonly register: string | undefined;
  readonly per: WireError["data"]["per"];
  readonly limit: string | undefined;
  readonly left: string | undefined;

  constructor({ data }: WireError) {
    super(data.message);
    // Not the class's own name, which a bundler shortens.
    this.name = `CallRefused(${data.code})`;
    this.code = data.code;
    this.advice = data.advice;
    this.path = data.path;
    this.reference = data.reference;
    this.register = data.register;
    this.per = data.per;
    this.limit = data.limit;
    this.left = data.left;
  }
}

/**
 * The socket closed before the answer came, which says nothing about the payment. Reopen and call `get` for the
 * reference (`not-found`: never accepted), or repeat the start.
 */
export class ConnectionLost extends Error {
  /** RFC 6455 close code; 1006 if the peer vanished. */
  readonly code: number;

  constructor(code: number, reason: string) {
    super(
      `the connection to the bridge closed (${code}${reason === "" ? "" : `: ${reason}`}): what had no answer yet is not known; open again and ask`,
    );
    this.name = "ConnectionLost";
    this.code = code;
  }
}

/** The bridge sent something outside its API: another version, or not a bridge at all. */
export class ProtocolBroken extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`not an answer of the register API: ${what}`, options);
    this.name = "ProtocolBroken";
  }
}
