import { useState } from "preact/hooks";
import { currencies } from "../../kit/currencies.ts";
import { Dialog } from "../design/dialog.tsx";
import { TABS, type Tab } from "./tabs.ts";
import type { OpenTill, Terminals } from "./use-till.ts";

interface TillBarProps {
  readonly tab: Tab;
  readonly onTab: (hash: string) => void;
  readonly open: OpenTill;
}

/** Navigation and terminal of the till. */
export function TillBar({ tab, onTab, open }: TillBarProps) {
  const [isSetting, setSetting] = useState(false);
  const terminal = open.terminals.find(({ id }) => id === open.settings.terminal);
  return (
    <div class="till-bar no-print">
      <nav class="kinds tabs" aria-label="Views of the till">
        {TABS.map((each) => (
          <a
            key={each.tab}
            href={each.hash}
            aria-current={each.tab === tab ? "page" : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              // At once, before the browser navigates: keys typed right after the press belong to the new view.
              event.preventDefault();
              onTab(each.hash);
            }}
          >
            {each.name}
          </a>
        ))}
      </nav>
      <button type="button" data-kind="quiet" class="terminal-choice" onClick={() => setSetting(true)}>
        <span class="dot" data-tone={terminal && TONES[terminal.state]} aria-hidden="true" />
        <span>
          {terminal === undefined ? open.settings.terminal || "Terminal" : `${terminal.id}: ${STATES[terminal.state]}`}
        </span>
        <span class="soft">{open.settings.currency}</span>
      </button>
      {isSetting && <SettingsDialog open={open} onClose={() => setSetting(false)} />}
    </div>
  );
}

type TerminalState = Terminals[number]["state"];
const STATES: Readonly<Record<TerminalState, string>> = {
  ready: "ready",
  busy: "at work",
  offline: "not connected",
  "out-of-service": "out of service",
};
const TONES: Readonly<Record<TerminalState, "good" | "bad" | "unknown">> = {
  ready: "good",
  busy: "unknown",
  offline: "bad",
  "out-of-service": "bad",
};

function SettingsDialog({ open, onClose }: { readonly open: OpenTill; readonly onClose: () => void }) {
  const { settings, set } = open;
  return (
    <Dialog title="This till" onClose={onClose}>
      <TerminalChoice open={open} />
      <label>
        Currency
        <select value={settings.currency} onChange={({ currentTarget }) => set({ currency: currentTarget.value })}>
          {currencies.map(({ code }) => (
            <option key={code} value={code}>
              {code} {new Intl.DisplayNames(undefined, { type: "currency" }).of(code)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Cashier
        <input
          value={settings.cashier}
          maxLength={64}
          autocomplete="off"
          onInput={({ currentTarget }) => set({ cashier: currentTarget.value })}
        />
        <span class="hint">Stands on the receipt. Empty: nobody is named.</span>
      </label>
    </Dialog>
  );
}

function TerminalChoice({ open: { terminals, settings, set } }: { readonly open: OpenTill }) {
  if (terminals.length === 0) return <p class="soft">The bridge has not told its terminals yet.</p>;
  return (
    <fieldset class="terminals">
      <legend>Terminal</legend>
      {terminals.map(({ id, model, state, reason, payment, queue }) => (
        <label key={id} class="check">
          <input
            type="radio"
            name="terminal"
            checked={id === settings.terminal}
            onChange={() => set({ terminal: id })}
          />
          <span class="dot" data-tone={TONES[state]} aria-hidden="true" />
          <span>
            <strong>{id}</strong> {STATES[state]}
            <span class="soft small terminal-more">
              {[
                model,
                state === "offline" ? undefined : reason,
                payment && `for ${payment}`,
                queue > 0 ? `${queue} waiting` : undefined,
              ]
                .filter((text) => text !== undefined)
                .join(" · ")}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
