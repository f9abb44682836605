/** One HTTP request, independent of a server. */
export interface SandboxRequest {
  readonly method: string;
  /** Path with query string, as in the request line. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A whole reply or a cut connection. With `partial` the whole reply's head and these first bytes of its body are sent
 * before the cut.
 */
export type Handled = Reply | { readonly is: "cut"; readonly partial?: string; readonly whole?: Reply };

export interface Reply {
  readonly is: "reply";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Undefined members are left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

export function jsonReply(status: number, body: Json): Reply {
  return {
    is: "reply",
    status,
    headers: { "content-type": "application/json;charset=UTF-8" },
    body: JSON.stringify(body),
  };
}
