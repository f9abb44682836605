/**
 * Checks every request first. The Host check stops DNS rebinding: listening on loopback does not protect against a
 * foreign name in a browser. The Origin check stops foreign pages: CORS does not apply to WebSockets, so the server
 * must check.
 */
export interface Guard {
  /** Why the request is refused, in one word and in one line; undefined: it may pass. */
  refusal(headers: GuardedHeaders): GuardRefusal | undefined;
}

export interface GuardRefusal {
  readonly why: "host" | "origin";
  readonly words: string;
}

const HOST: GuardRefusal = {
  why: "host",
  words: "this host name is not served here: add it to listen.names in the configuration",
};
const ORIGIN: GuardRefusal = {
  why: "origin",
  words: "this origin may not talk to the bridge: add it to origins in the configuration",
};

/** All values of both headers, as in Node's `headersDistinct`: a repeated header is invalid. */
export interface GuardedHeaders {
  readonly host?: readonly string[] | undefined;
  readonly origin?: readonly string[] | undefined;
}

interface GuardOptions {
  /** The listening port; read for each request, because port 0 is replaced at the start. */
  port(): number;
  readonly secure: boolean;
  /** Names and addresses of the port in the form of a URL; read for each request, because addresses change. */
  names(): readonly string[];
  /**
   * Exact origins of browser registers: scheme, host, port. The port's own pages need no entry. Read for each request.
   */
  readonly origins: readonly string[];
}

/** In lower case and without the root's dot, which does not change a name (RFC 3986, 3.2.2). */
function withoutRoot(host: string): string {
  return host.toLowerCase().replace(/(?<=[a-z0-9_-])\.(?=(:[0-9]*)?$)/, "");
}

export function createGuard(on: GuardOptions): Guard {
  const { port, secure, names } = on;
  const scheme = secure ? "https" : "http";
  const defaultPort = secure ? 443 : 80;
  const hosts = (): readonly string[] =>
    // A browser omits the scheme's default port (RFC 9110, 4.2.3).
    names()
      .map(withoutRoot)
      .flatMap((name) => (port() === defaultPort ? [name, `${name}:${port()}`] : [`${name}:${port()}`]));

  return {
    refusal: ({ host = [], origin = [] }) => {
      const [name] = host;
      if (host.length !== 1 || name === undefined || !hosts().includes(withoutRoot(name))) return HOST;
      if (origin.length === 0) return undefined;
      const [page] = origin;
      const own = hosts().map((each) => `${scheme}://${each}`);
      const known =
        origin.length === 1 &&
        page !== undefined &&
        page !== "null" &&
        (on.origins.includes(page) || own.includes(withoutRoot(page)));
      return known ? undefined : ORIGIN;
    },
  };
}
