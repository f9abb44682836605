import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { pageMeta } from "../bridge/page-meta.ts";
import type { PageBridge, PageState } from "../bridge/use-bridge.ts";
import { Dialog } from "./dialog.tsx";

const PAGES = [
  { name: "Till", path: "/till/" },
  { name: "Console", path: "/console/" },
] as const;
const TERMINAL = { name: "Terminal", path: "/terminal/" } as const;

interface FrameProps {
  readonly page: "Till" | "Console" | "Terminal" | "posbridge";
  readonly bridge?: PageBridge;
  readonly children: ComponentChildren;
}

/** The frame of every page: name, navigation, TEST mark, and connection state. */
export function Frame({ page, bridge, children }: FrameProps) {
  const pages = pageMeta("terminal-page") === undefined ? PAGES : [...PAGES, TERMINAL];
  return (
    <>
      <header class="bar">
        <a class="bar-name button" data-kind="quiet" href="/">
          posbridge
        </a>
        <nav aria-label="Pages">
          {pages.map(({ name, path }) => (
            <a key={path} href={path} aria-current={name === page ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div class="bar-end">
          {pageMeta("environment") === "test" && <span class="test-mark">TEST</span>}
          {bridge && <LinkState bridge={bridge} />}
        </div>
      </header>
      <main>{children}</main>
    </>
  );
}

/** Connection state; a press shows the page's register and allows another token. */
function LinkState({ bridge }: { readonly bridge: PageBridge }) {
  const [isAsked, setAsked] = useState(false);
  const { tone, words } = linkWords(bridge.state);
  return (
    <>
      <button type="button" data-kind="quiet" class="link-state" onClick={() => setAsked(true)}>
        <span class="dot" data-tone={tone} aria-hidden="true" />
        <span role="status">{words}</span>
      </button>
      {isAsked && <Session bridge={bridge} onClose={() => setAsked(false)} />}
    </>
  );
}

function Session({ bridge, onClose }: { readonly bridge: PageBridge; readonly onClose: () => void }) {
  const { state, useToken, retry } = bridge;
  const forget = (): void => {
    useToken(undefined);
    onClose();
  };
  return (
    <Dialog title="This page and the bridge" onClose={onClose}>
      {state.is === "open" && (
        <p>
          Connected as register <strong>{state.client.register}</strong> with the scopes{" "}
          {state.client.scopes.join(", ")}. The bridge is version {state.client.hello.bridge.version}.
        </p>
      )}
      {(state.is === "lost" || state.is === "refused") && <p>{state.why}</p>}
      <div class="row">
        {state.is === "lost" && (
          <button type="button" data-kind="main" onClick={retry}>
            Try now
          </button>
        )}
        {state.is !== "no-token" && (
          <button type="button" data-kind="danger" onClick={forget}>
            Forget the token
          </button>
        )}
      </div>
    </Dialog>
  );
}

function linkWords(bridge: PageState): {
  readonly tone: "good" | "bad" | "unknown" | undefined;
  readonly words: string;
} {
  switch (bridge.is) {
    case "open":
      return { tone: "good", words: `Connected as ${bridge.client.register}` };
    case "connecting":
      return { tone: undefined, words: "Connecting…" };
    case "lost":
      return { tone: "unknown", words: "Connection lost. Trying again…" };
    case "refused":
      return { tone: "bad", words: "Not let in" };
    case "no-token":
      return { tone: undefined, words: "No token yet" };
  }
}
