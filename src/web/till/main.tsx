import { render } from "preact";
import { TokenForm } from "../bridge/token-form.tsx";
import { useHash } from "../bridge/use-hash.ts";
import { Frame } from "../design/frame.tsx";
import { HistoryView } from "./history-view.tsx";
import { Sell } from "./sell.tsx";
import { type Tab, tabOf } from "./tabs.ts";
import { TillBar } from "./till-bar.tsx";
import { TotalsView } from "./totals-view.tsx";
import { type OpenTill, useTill } from "./use-till.ts";

/** Scopes of the till's buttons beyond those of every new token. */
const SCOPES = ["payments", "refunds", "unlinked-refunds", "stored-cards"];

function Page() {
  const open = useTill();
  const { state, useToken } = open.bridge;
  const isShut = state.is === "no-token" || state.is === "refused";
  return (
    <Frame page="Till" bridge={open.bridge}>
      {isShut ? (
        <TokenForm scopes={SCOPES} refused={state.is === "refused" ? state.why : undefined} onToken={useToken} />
      ) : (
        <Counter open={open} />
      )}
    </Frame>
  );
}

function Counter({ open }: { readonly open: OpenTill }) {
  const { hash, go } = useHash();
  const tab = tabOf(hash);
  return (
    <div class="till">
      <TillBar tab={tab} onTab={go} open={open} />
      <Shown tab={tab} open={open} onSell={() => go("#/")} />
    </div>
  );
}

function Shown({ tab, open, onSell }: { readonly tab: Tab; readonly open: OpenTill; readonly onSell: () => void }) {
  switch (tab) {
    case "sell":
      return <Sell open={open} />;
    case "history":
      return <HistoryView open={open} onOpened={onSell} />;
    case "totals":
      return <TotalsView open={open} />;
  }
}

const place = document.querySelector("#page");
if (place !== null) render(<Page />, place);
