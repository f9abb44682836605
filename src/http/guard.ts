/**
 * Who may talk to this port at all, asked before anything else is looked at. The Host stops DNS rebinding: binding to loopback does not check the name a browser was given.
 * The Origin stops pages of strangers: a WebSocket knows no CORS, so the server is its only guard.
 */
export interface Guard {
  /** Why the request is refused, in one word and in one line; undefined where it may pass. */
  refusal(headers: GuardedHeaders): GuardRefusal | undefined;
}

export interface GuardRefusal {
  readonly why: "host" | "origin";
  readonly words: string;
}

const HOST: GuardRefusal = { why: "host", words: "this host name is not served here: add it to listen.names in the configuration" };
const ORIGIN: GuardRefusal = { why: "origin", words: "this origin may not talk to the bridge: add it to origins in the configuration" };

/** Every value of the two headers, as Node's `headersDistinct` gives them: a header sent twice is no header. */
export interface GuardedHeaders {
  readonly host?: readonly string[] | undefined;
  readonly origin?: readonly string[] | undefined;
}

interface GuardOptions {
  /** The port that is listened on; asked at every request, because a port 0 is known only then. */
  port(): number;
  readonly secure: boolean;
  /** Names and addresses by which it is asked for, as they stand in a URL; asked at every request, because addresses change. */
  names(): readonly string[];
  /** Exact origins of browser registers: scheme, host, port. Pages that this port serves itself need no entry; looked at for each request. */
  readonly origins: readonly string[];
}

/** In lower case, and without the dot of the root: a name means the same with it (RFC 3986, 3.2.2). */
function withoutRoot(host: string): string {
  return host.toLowerCase().replace(/(?<=[a-z0-9_-])\.(?=(:[0-9]*)?$)/, "");
}

export function createGuard(on: GuardOptions): Guard {
  const { port, secure, names } = on;
  const scheme = secure ? "https" : "http";
  const defaultPort = secure ? 443 : 80;
  const hosts = (): readonly string[] =>
    // A browser leaves the port out where it is the scheme's own (RFC 9110, 4.2.3).
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
      const known = origin.length === 1 && page !== undefined && page !== "null" && (on.origins.includes(page) || own.includes(withoutRoot(page)));
      return known ? undefined : ORIGIN;
    },
  };
}
