import type { Clock } from "../kit/clock.ts";
import type { Change } from "./api.ts";
import { type ConnectOptions, connectRegister, type RegisterClient } from "./client.ts";
import { CallRefused } from "./errors.ts";
import { NotPaired } from "./pairing.ts";

/** The register's last cursor by bridge (`bridge.id` of its hello), stored across restarts of the register. */
export interface KeptCursor {
  of(bridge: string): string | undefined;
  told(bridge: string, cursor: string): void;
}

/** The connection of a register to its bridge. */
export type BridgeState =
  | { readonly is: "connecting" }
  | { readonly is: "open"; readonly client: RegisterClient }
  /** The bridge does not answer; the next try comes automatically. */
  | { readonly is: "lost"; readonly why: string }
  /** The bridge refuses this token or key, or there is none: only a person can help. */
  | { readonly is: "refused"; readonly why: string };

export interface KeepOptions
  extends Pick<ConnectOptions, "token" | "pairing" | "openSocket" | "client" | "onNotification"> {
  readonly url: string;
  readonly cursor: KeptCursor;
  readonly clock: Clock;
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
  const { clock, onState } = options;
  let stopped = false;
  let open: RegisterClient | undefined;
  let waitMs = FIRST_RETRY_MS;
  let wake: (() => void) | undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  const once = async (): Promise<BridgeState> => {
    const opened = await openSession(options).catch(unopened);
    if ("is" in opened) return opened;
    open = opened;
    if (stopped) open.close();
    else onState({ is: "open", client: open });
    waitMs = FIRST_RETRY_MS;
    return { is: "lost", why: (await open.closed).message };
  };
  const run = async (): Promise<void> => {
    try {
      while (!stopped) {
        const ended = await once();
        if (stopped) return;
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
    retry: () => wake?.(),
    stop: () => {
      stopped = true;
      open?.close();
      wake?.();
    },
  };
}

function unopened(error: unknown): BridgeState {
  const why = error instanceof Error ? error.message : String(error);
  const isRefused = error instanceof NotPaired || (error instanceof CallRefused && error.code === "unauthorized");
  return isRefused ? { is: "refused", why } : { is: "lost", why };
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
    clock: rest.clock,
  });
  try {
    await subscribe(client, cursor.of(client.hello.bridge.id));
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** The events after this cursor were archived. The page reads its lists anew and gets changes from now on. */
async function subscribe(client: RegisterClient, after: string | undefined): Promise<void> {
  try {
    await client.subscribe(after);
  } catch (error) {
    if (!(error instanceof CallRefused) || error.code !== "cursor-gone") throw error;
    await client.subscribe();
  }
}
