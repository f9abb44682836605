import { useEffect, useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import { useStore } from "../bridge/use-store.ts";
import { askOf, EMPTY_PAD, nextPad } from "./pad-state.ts";
import { PadView } from "./pad-view.tsx";
import { PaymentRows, toneOf } from "./payment-rows.tsx";
import { PaymentPanel } from "./payment-view.tsx";
import { pictureOf } from "./picture.ts";
import { Receipt } from "./receipt.tsx";
import { type StoredCard, storedCards } from "./stored-cards.ts";
import type { Entry } from "./till-state.ts";
import type { OpenTill } from "./use-till.ts";
import { titleText } from "./words.ts";

/** The pad or the current payment, with earlier payments beside it. */
export function Sell({ open }: { readonly open: OpenTill }) {
  const { till } = open;
  const front = till.entries.find(({ name }) => name === till.front);
  const others = till.entries.filter(({ name }) => name !== till.front);
  return (
    <div class="sell">
      <div class="sell-main">
        <LaidAside entries={others} open={open} />
        {front === undefined ? <PadPlace open={open} /> : <PaymentPanel key={front.name} entry={front} open={open} />}
      </div>
      <aside class="sell-side" aria-label="Receipt and last payments">
        {front !== undefined && <ReceiptPlace entry={front} client={open.client} />}
        <section class="recent no-print">
          <h2>Last payments</h2>
          {till.recent.length === 0 ? (
            <p class="soft">None yet.</p>
          ) : (
            <PaymentRows payments={till.recent} isConnected={open.client !== undefined} onOpen={open.desk.open} />
          )}
        </section>
      </aside>
    </div>
  );
}

/** Payments laid aside before their decision, until somebody has seen their end. */
function LaidAside({
  entries,
  open: { client, show },
}: {
  readonly entries: readonly Entry[];
  readonly open: OpenTill;
}) {
  if (entries.length === 0) return null;
  return (
    <section class="aside no-print" aria-label="Laid aside">
      {entries.map((entry) => {
        const { look, title } = pictureOf(entry.standing, entry.title.type, client !== undefined);
        return (
          <button key={entry.name} type="button" class="aside-entry" data-look={look} onClick={() => show(entry.name)}>
            <span>{titleText(entry.title)}</span>
            <span class="badge" data-tone={toneOf(look)}>
              {title}
            </span>
          </button>
        );
      })}
    </section>
  );
}

function PadPlace({ open }: { readonly open: OpenTill }) {
  const { desk, settings, client, till } = open;
  const [pad, { now, tell }] = useStore(nextPad, () => EMPTY_PAD);
  const [missing, setMissing] = useState<string>();
  const cards = useStoredCards(client, pad.kind === "stored-card");
  const submit = (): void => {
    const ready = askOf(now(), open.settingsNow());
    setMissing("missing" in ready ? ready.missing : undefined);
    if ("ask" in ready) void desk.ask(ready.ask);
  };
  return (
    <PadView
      pad={pad}
      settings={settings}
      cards={cards}
      isConnected={client !== undefined}
      trouble={missing ?? till.trouble}
      tell={tell}
      onSubmit={submit}
    />
  );
}

/** Number of payments searched for stored cards. */
const LOOKED_AT = 500;

function useStoredCards(client: RegisterClient | undefined, isWanted: boolean): readonly StoredCard[] {
  const [cards, setCards] = useState<readonly StoredCard[]>([]);
  useEffect(() => {
    if (!isWanted || client === undefined) return;
    client.list({ limit: LOOKED_AT, outcome: "APPROVED" }).then(
      ({ payments }) => setCards(storedCards(payments)),
      // Without the list a card can still be charged by its id.
      () => setCards([]),
    );
  }, [client, isWanted]);
  return cards;
}

/** A receipt exists after the end, or while it is to be signed. */
function ReceiptPlace({
  entry: { standing },
  client,
}: {
  readonly entry: Entry;
  readonly client: RegisterClient | undefined;
}) {
  if (standing.is !== "known") return null;
  const { payment } = standing;
  return payment.state === "FINAL" || payment.prompt?.code === "SIGN" ? (
    <Receipt key={payment.id} payment={payment} client={client} />
  ) : null;
}
