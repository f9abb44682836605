import type { Clock } from "../kit/clock.ts";
import type { Change } from "./api.ts";
import { type ConnectOptions, connectRegister, type RegisterClient } from "./client.ts";
import { CallRefused, ConnectionLost } from "./errors.ts";
import type { Page, Permission } from "./page.ts";
import { NotPaired, NotThisBridge } from "./pairing.ts";
import { type Ended, PROMPT_MS, type Surroundings, type Trouble, troubleAfter, troubleWhile } from "./trouble.ts";

/** The register's last cursor by bridge (`bridge.id` of its hello), stored across restarts of the register. */
export interface KeptCursor {
  of(bridge: string): string | undefined;
  told(bridge: string, cursor: string): void;
}

/** The connection of a register to its bridge. `trouble` has the words for a person. */
export type BridgeState =
  | { readonly is: "connecting"; readonly trouble?: Trouble }
  | { readonly is: "open"; readonly client: RegisterClient }
  /** No session; the next try comes automatically, after `press-first` with the next `retry`. */
  | { readonly is: "lost"; readonly why: string; readonly trouble: Trouble }
  /** The bridge refuses this token or key, or there is none: only a person can help. */
  | { readonly is: "refused"; readonly why: string; readonly trouble: Trouble };

export interface KeepOptions
  extends Pick<ConnectOptions, "token" | "pairing" | "openSocket" | "origin" | "client" | "onNotification"> {
  readonly url: string;
  readonly cursor: KeptCursor;
  readonly clock: Clock;
  /** The browser's page; undefined outside of browsers. */
  readonly page: Page | undefined;
  onState(state: BridgeState): void;
  /** Changes of every payment that this token may read, also those made while no connection was open. */
  onChange(change: Change): void;
}

/** The first and the longest wait between two tries. */
const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 8_000;

export interface KeptBridge {
  /** Tries at once instead of waiting. */
  retry(): void;
  stop(): void;
}

/**
 * Keeps one session open: connects, gets all changes after the last cursor, and reconnects whenever the socket closes.
 */
export function keepBridge(options: KeepOptions): KeptBridge {
  const { clock, onState, page, url } = options;
  let stopped = false;
  let open: RegisterClient | undefined;
  let waitMs = FIRST_RETRY_MS;
  let wake: (() => void) | undefined;
  let isPressed = false;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  /** One try, under what the browser said before it. */
  const tryOnce = async (permission: Permission): Promise<BridgeState> => {
    const asks = troubleWhile({ is: "connecting", forMs: PROMPT_MS }, { url, page, permission });
    const cancel = asks && clock.after(PROMPT_MS, () => onState({ is: "connecting", trouble: asks }));
    const opened = await openSession(options).catch((error: unknown) => ({ error }));
    cancel?.();
    if ("error" in opened) return unopened(opened.error, { url, page, permission: await permissionNow() });
    open = opened;
    if (stopped) open.close();
    else onState({ is: "open", client: open });
    waitMs = FIRST_RETRY_MS;
    const why = (await open.closed).message;
    return { is: "lost", why, trouble: troubleAfter({ is: "closed" }, { url, page, permission }) };
  };
  const permissionNow = async (): Promise<Permission> => (page === undefined ? "unknown" : page.permission(url));
  const once = async (): Promise<BridgeState> => {
    if (page === undefined) return tryOnce("unknown");
    const permission = await page.permission(url);
    const before = { is: "before", isPressed: isPressed || page.isPressed() } as const;
    const held = troubleWhile(before, { url, page, permission });
    return held === undefined ? tryOnce(permission) : { is: "lost", why: held.message, trouble: held };
  };
  const run = async (): Promise<void> => {
    try {
      while (!stopped) {
        const ended = await once();
        if (stopped) return;
        isPressed = false;
        onState(ended);
        if (ended.is === "refused") return;
        await pause(waitMs);
        waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
      }
    } finally {
      // Even if a callback threw, no session stays open.
      open?.close();
    }
  };
  onState({ is: "connecting" });
  void run();
  return {
    retry: () => {
      isPressed = true;
      wake?.();
    },
    stop: () => {
      stopped = true;
      open?.close();
      wake?.();
    },
  };
}

function unopened(error: unknown, around: Surroundings): BridgeState {
  const why = error instanceof Error ? error.message : String(error);
  const trouble = troubleAfter(endOf(error, why), around);
  return { is: trouble.kind === "not-paired" ? "refused" : "lost", why, trouble };
}

/** No close code of RFC 6455: the peer vanished, or was never there. */
const VANISHED = 1006;

function endOf(error: unknown, message: string): Ended {
  if (error instanceof NotPaired) return { is: "refused", code: "unauthorized", message };
  if (error instanceof NotThisBridge) return { is: "refused", code: error.code, message };
  if (error instanceof CallRefused) return { is: "refused", code: error.code, message };
  if (error instanceof ConnectionLost)
    return error.code === VANISHED ? { is: "unheard", isForbidden: false } : { is: "closed" };
  // A browser's error for an address that it never tries.
  return error instanceof Error && error.name === "SecurityError"
    ? { is: "unheard", isForbidden: true }
    : { is: "refused", code: "", message };
}

async function openSession({ url, token, pairing, cursor, onChange, ...rest }: KeepOptions): Promise<RegisterClient> {
  let bridge: string | undefined;
  const client = await connectRegister({
    url,
    token,
    pairing,
    after: (hello) => {
      bridge = hello.bridge.id;
      return cursor.of(bridge);
    },
    onChange: (change) => {
      if (bridge !== undefined) cursor.told(bridge, change.cursor);
      onChange(change);
    },
    ...(rest.client && { client: rest.client }),
    ...(rest.onNotification && { onNotification: rest.onNotification }),
    ...(rest.openSocket && { openSocket: rest.openSocket }),
    origin: rest.origin,
    clock: rest.clock,
  });
  try {
    await subscribe(client, cursor);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * Without a cursor, changes are told from now on, and this cursor is kept: the next session begins after it. The same
 * where the events after the last cursor were archived; the page then reads its lists anew.
 */
async function subscribe(client: RegisterClient, cursor: KeptCursor): Promise<void> {
  const bridge = client.hello.bridge.id;
  const after = cursor.of(bridge);
  if (after !== undefined) {
    try {
      await client.subscribe(after);
      return;
    } catch (error) {
      if (!(error instanceof CallRefused) || error.code !== "cursor-gone") throw error;
    }
  }
  cursor.told(bridge, await client.subscribe());
}
