/** One HTTP request as the sandbox sees it, without a server. */
export interface SandboxRequest {
  readonly method: string;
  /** Path with its query string, as it stands in the request line. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What comes of it: a whole reply, or a connection cut. With `partial` the reply's head and these first bytes of its body leave before the cut; `status`,
 * `headers` and the length that the head promises are those of the whole reply.
 */
export type Handled = Reply | { readonly is: "cut"; readonly partial?: string; readonly whole?: Reply };

export interface Reply {
  readonly is: "reply";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is undefined is left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

export function jsonReply(status: number, body: Json): Reply {
  return { is: "reply", status, headers: { "content-type": "application/json;charset=UTF-8" }, body: JSON.stringify(body) };
}
