import type { Clock } from "../kit/clock.ts";
import { type ConnectOptions, connectRegister, type RegisterClient } from "./client.ts";
import { CallRefused } from "./errors.ts";
import type { Change } from "./line.ts";

/** The last cursor that this register was told, and by which bridge (`bridge.id` of its hello). Kept where a restart of the register finds it. */
export interface KeptCursor {
  of(bridge: string): string | undefined;
  told(bridge: string, cursor: string): void;
}

/** How a register stands with its bridge. */
export type BridgeState =
  | { readonly is: "connecting" }
  | { readonly is: "open"; readonly client: RegisterClient }
  /** The bridge is not there: it is asked again by itself. */
  | { readonly is: "lost"; readonly why: string }
  /** The bridge does not take this token: only a person can help. */
  | { readonly is: "refused"; readonly why: string };

export interface KeepOptions extends Pick<ConnectOptions, "openSocket" | "client" | "onNotification"> {
  readonly url: string;
  readonly token: string;
  readonly cursor: KeptCursor;
  readonly clock: Clock;
  onState(state: BridgeState): void;
  /** Every payment that this token may read, also those that changed while no connection was open. */
  onChange(change: Change): void;
}

/** The first wait before the bridge is asked again, and the longest. */
const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 8_000;

export interface KeptBridge {
  /** Asks at once, where the next try would come later. */
  retry(): void;
  stop(): void;
}

/** Keeps one session open: connects, hears all changes behind the last cursor, connects again whenever the socket has closed. */
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
      // Also where a callback has thrown: no session stays open behind it.
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
  return error instanceof CallRefused && error.code === "unauthorized" ? { is: "refused", why } : { is: "lost", why };
}

async function openSession({ url, token, cursor, onChange, ...rest }: KeepOptions): Promise<RegisterClient> {
  let bridge: string | undefined;
  const client = await connectRegister({
    url,
    token,
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

/** A cursor whose events were archived: the page reads its lists anew, and hears from here on. */
async function subscribe(client: RegisterClient, after: string | undefined): Promise<void> {
  try {
    await client.subscribe(after);
  } catch (error) {
    if (!(error instanceof CallRefused) || error.code !== "cursor-gone") throw error;
    await client.subscribe();
  }
}
