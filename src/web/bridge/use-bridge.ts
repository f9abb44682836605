import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Change } from "../../client/api.ts";
import { type BridgeState, type KeptBridge, keepBridge } from "../../client/keep-bridge.ts";
import { platformPage } from "../../client/page.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { browserStorage } from "./browser-storage.ts";
import { keepCursor } from "./kept-cursor.ts";
import { pageMeta } from "./page-meta.ts";

/** A page without a token asks for one first. */
export type PageState = BridgeState | { readonly is: "no-token" };

export interface PageBridge {
  readonly state: PageState;
  /** Uses and stores this token from now on; undefined deletes it. */
  useToken(token: string | undefined): void;
  retry(): void;
}

/** The WebSocket of the bridge that served this page. */
function socketUrl(): string {
  const { protocol, host } = window.location;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}/v1`;
}

type OnNotification = (method: string, params: unknown) => void;

/** The page's session while it is shown. `page` names token and cursor in the browser's storage. */
export function useBridge(
  page: string,
  onChange: (change: Change) => void,
  onNotification: OnNotification = () => undefined,
): PageBridge {
  const storage = useMemo(
    () => ({
      token: browserStorage(`posbridge-${page}-token`),
      cursor: keepCursor(browserStorage(`posbridge-${page}-cursor`)),
    }),
    [page],
  );
  // The demo's token for this page is newer than a stored one.
  const [token, setToken] = useState(() => pageMeta("token") ?? storage.token.get());
  const [state, setState] = useState<PageState>({ is: token === undefined ? "no-token" : "connecting" });
  const kept = useRef<KeptBridge>(undefined);
  const heard = useRef({ onChange, onNotification });
  heard.current = { onChange, onNotification };

  useEffect(() => {
    if (token === undefined) {
      setState({ is: "no-token" });
      return undefined;
    }
    const client = { name: `posbridge ${page} page`, version: pageMeta("version") ?? "unknown" };
    const bridge = keepBridge({
      url: socketUrl(),
      token,
      client,
      cursor: storage.cursor,
      clock: systemClock,
      page: platformPage(),
      onState: setState,
      onChange: (change) => heard.current.onChange(change),
      onNotification: (method, params) => heard.current.onNotification(method, params),
    });
    kept.current = bridge;
    window.addEventListener("online", bridge.retry);
    return () => {
      window.removeEventListener("online", bridge.retry);
      bridge.stop();
    };
  }, [token, page, storage]);

  const useToken = (next: string | undefined): void => {
    storage.token.set(next);
    setToken(next);
  };
  return { state, useToken, retry: () => kept.current?.retry() };
}
