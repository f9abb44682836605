/** The browser's word on reaching this machine or its network from the page. */
export type Permission = "granted" | "denied" | "prompt" | "unknown";

/** The page that runs the client. */
export interface Page {
  readonly origin: string;
  readonly hostname: string;
  /** HTTPS, or this machine. */
  readonly isSecure: boolean;
  /** Local Network Access for an address of a bridge; `unknown`: this browser has no such permission. */
  permission(url: string): Promise<Permission>;
  /** Whether the code runs because of a press just now. */
  isPressed(): boolean;
}

/** The host as URLs write it. */
function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);
}

/** An address or name that no public server has. Names of a shop's own domain cannot be told from public ones. */
export function isNearHost(hostname: string): boolean {
  return (
    isLoopbackHost(hostname) ||
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2[0-9]|3[01])\.)[0-9.]+$/.test(hostname) ||
    /^\[f[cd][0-9a-f:]*\]$|^\[fe[89ab][0-9a-f:]*\]$/.test(hostname) ||
    /^[^.]+$|\.(local|internal|home\.arpa)$/.test(hostname)
  );
}

/** The page of this program; undefined outside of browsers. */
export function platformPage(): Page | undefined {
  const location = member(globalThis, "location");
  const [origin, hostname, protocol] = ["origin", "hostname", "protocol"].map((name) => member(location, name));
  if (typeof origin !== "string" || typeof hostname !== "string" || !/^https?:$/.test(String(protocol)))
    return undefined;
  const navigator = member(globalThis, "navigator");
  return {
    origin,
    hostname,
    isSecure: member(globalThis, "isSecureContext") === true,
    permission: (url) => permissionFor(member(navigator, "permissions"), url),
    isPressed: () => member(member(navigator, "userActivation"), "isActive") === true,
  };
}

async function permissionFor(permissions: unknown, url: string): Promise<Permission> {
  const name = isLoopbackHost(new URL(url).hostname) ? "loopback-network" : "local-network";
  // The second is the name before the permission was split.
  for (const each of [name, "local-network-access"]) {
    const state = await stateOf(permissions, each);
    if (state !== undefined) return state;
  }
  return "unknown";
}

async function stateOf(permissions: unknown, name: string): Promise<Permission | undefined> {
  const query = member(permissions, "query");
  if (typeof query !== "function") return undefined;
  try {
    const status: unknown = await Reflect.apply(query, permissions, [{ name }]);
    const state = member(status, "state");
    return state === "granted" || state === "denied" || state === "prompt" ? state : undefined;
  } catch {
    // A TypeError: this browser does not know the name.
    return undefined;
  }
}

/** Browsers and other programs share these sources, so none of a browser's objects is known to be there. */
function member(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}
