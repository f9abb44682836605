import { isNearHost, type Page, type Permission } from "./page.ts";

/** Why a register has no session, in words for the person in front of it. */
export interface Trouble {
  readonly kind: TroubleKind;
  readonly message: string;
}

export type TroubleKind =
  /** The browser will ask for permission, so a press should come first: then call `retry`. */
  | "press-first"
  /** The browser asks; nothing goes on until a person answers. */
  | "allow-it"
  | "blocked-by-browser"
  | "origin-not-allowed"
  /** The token or key is not known to the bridge. */
  | "not-paired"
  | "not-running"
  /** The bridge refuses the session for another reason, in its own words. */
  | "refused"
  /** A session was open until now; it comes back by itself. */
  | "lost";

/** Where a try to connect stands: the bridge's address, and what the browser says. */
export interface Surroundings {
  readonly url: string;
  /** Undefined outside of browsers. */
  readonly page: Pick<Page, "origin" | "hostname" | "isSecure"> | undefined;
  readonly permission: Permission;
}

/** A try that has not ended. */
export type Trying =
  | { readonly is: "before"; readonly isPressed: boolean }
  | { readonly is: "connecting"; readonly forMs: number };

/** How a try, or a session, ended. */
export type Ended =
  /** The socket closed before the bridge said anything; `isForbidden`: the browser refused to try. */
  | { readonly is: "unheard"; readonly isForbidden: boolean }
  | { readonly is: "refused"; readonly code: string; readonly message: string }
  | { readonly is: "closed" };

/** A prompt of the browser is assumed after this time without an event. */
export const PROMPT_MS = 1_000;

/** The trouble of a try that has not ended; undefined: nothing yet. */
export function troubleWhile(trying: Trying, { page, permission }: Surroundings): Trouble | undefined {
  if (page === undefined) return undefined;
  if (trying.is === "connecting")
    return isPrompted(page, permission) && trying.forMs >= PROMPT_MS ? trouble("allow-it", ALLOW) : undefined;
  if (permission === "denied") return blocked(page);
  return isPrompted(page, permission) && page.isSecure && !trying.isPressed ? trouble("press-first", PRESS) : undefined;
}

export function troubleAfter(ended: Ended, { url, page, permission }: Surroundings): Trouble {
  switch (ended.is) {
    case "unheard":
      return page !== undefined && (ended.isForbidden || permission === "denied" || isPrompted(page, permission))
        ? blocked(page)
        : trouble("not-running", notRunning(url));
    case "refused":
      return refused(ended, page);
    case "closed":
      return trouble("lost", "The connection to the payment bridge was lost. It is opened again by itself.");
  }
}

/** Pages of this machine or its network need no permission, whatever its state. */
function isPrompted({ hostname }: { readonly hostname: string }, permission: Permission): boolean {
  return permission === "prompt" && !isNearHost(hostname);
}

function trouble(kind: TroubleKind, message: string): Trouble {
  return { kind, message };
}

const PRESS = "Press Connect. Your browser then asks whether this page may reach the payment bridge: choose Allow.";
const ALLOW =
  "Your browser asks at the top of this window whether this page may reach the payment bridge: choose Allow.";

function blocked({ origin, isSecure }: Pick<Page, "origin" | "isSecure">): Trouble {
  const what = "Your browser does not let this page reach the payment bridge.";
  return trouble(
    "blocked-by-browser",
    isSecure
      ? `${what} Open the settings of this site beside its address, allow access to this device and the local network, and reload the page.`
      : `${what} Open the page by https:// in place of ${origin}.`,
  );
}

function notRunning(url: string): string {
  const certificate = url.startsWith("wss:") ? ", or this machine does not trust its certificate" : "";
  return `The payment bridge does not answer at ${new URL(url).host}. It is not running${certificate}: start it, or ask a technician.`;
}

function refused({ code, message }: Extract<Ended, { is: "refused" }>, page: Surroundings["page"]): Trouble {
  switch (code) {
    case "origin-not-allowed":
      return trouble(
        code,
        `The payment bridge does not know this page. A technician adds ${page?.origin ?? "its origin"} to origins in the configuration of the bridge.`,
      );
    case "unauthorized":
      return trouble(
        "not-paired",
        "This register is not paired with the payment bridge. A technician pairs it, or gives it a new token.",
      );
    case "not-this-bridge":
      return trouble(
        "refused",
        "Another bridge or program answers than the one that this register was paired with. A technician looks which: if the bridge was installed anew, clear the pairing and pair this register again; otherwise another program has its port.",
      );
    default:
      return trouble("refused", message);
  }
}
