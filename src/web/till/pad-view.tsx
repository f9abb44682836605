import { useRef } from "preact/hooks";
import { moneyText } from "../design/money-text.ts";
import { Notice } from "../design/notice.tsx";
import { amountTyped, PAD_KEYS, type PadKey, padKeyOf, sumOf } from "./amount-pad.ts";
import { BackIcon } from "./icons.tsx";
import { KindFields } from "./kind-fields.tsx";
import { askOf, KINDS, type Kind, type Pad, type PadEvent, type Settings } from "./pad-state.ts";
import type { StoredCard } from "./stored-cards.ts";
import { useKeys } from "./use-keys.ts";

interface PadViewProps {
  readonly pad: Pad;
  readonly settings: Settings;
  readonly cards: readonly StoredCard[];
  readonly isConnected: boolean;
  readonly trouble: string | undefined;
  readonly tell: (event: PadEvent) => void;
  readonly onSubmit: () => void;
}

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  sale: "Sale",
  reserve: "Reserve",
  refund: "Refund",
  link: "Link",
  "stored-card": "Stored card",
};
const SUBMIT: Readonly<Record<Kind, string>> = {
  sale: "Sell",
  reserve: "Reserve",
  refund: "Refund",
  link: "Make the link",
  "stored-card": "Charge the card",
};

/** Kind of payment, amount and keypad. */
export function PadView(props: PadViewProps) {
  const { pad, settings, isConnected, trouble, tell, onSubmit } = props;
  const onKey = (key: PadKey): void => tell({ is: "key", key, currency: settings.currency });
  const submit = useRef<HTMLButtonElement>(null);
  // After typing an amount Enter submits, wherever the focus was.
  const onTyped = (key: PadKey): void => {
    submit.current?.focus();
    onKey(key);
  };
  usePadKeyboard(onTyped, onSubmit, () => tell({ is: "empty" }));
  const ready = askOf(pad, settings);
  const isStoring = pad.kind === "sale" && pad.onlyStores;
  return (
    <form
      class="pad card"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h1 class="for-readers">New payment</h1>
      <Kinds kind={pad.kind} onKind={(kind) => tell({ is: "kind", kind })} />
      {!isStoring && <Amount pad={pad} settings={settings} />}
      <KindFields {...props} />
      {!isStoring && <Keys onKey={onTyped} />}
      {trouble !== undefined && <Notice tone="bad">{trouble}</Notice>}
      <button type="submit" ref={submit} data-kind="main" class="pad-submit" disabled={!isConnected}>
        {isStoring ? "Store a card" : SUBMIT[pad.kind]}
        {"ask" in ready && ready.ask.title.amount !== undefined && (
          <span class="number">{moneyText(ready.ask.title.amount, settings.currency)}</span>
        )}
      </button>
      <p class="soft small pad-hint">
        {isConnected
          ? "Digits type the amount, Enter sends it, Escape clears it."
          : "Waiting for the bridge. Nothing can be sent yet."}
      </p>
    </form>
  );
}

function Kinds({ kind, onKind }: { readonly kind: Kind; readonly onKind: (kind: Kind) => void }) {
  return (
    <fieldset class="kinds">
      <legend class="for-readers">What to do</legend>
      {KINDS.map((each) => (
        <label key={each} class="kind">
          <input type="radio" name="kind" checked={each === kind} onChange={() => onKind(each)} />
          <span>{KIND_NAMES[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The total, and its parts below. */
function Amount({ pad, settings }: Pick<PadViewProps, "pad" | "settings">) {
  const { currency } = settings;
  const shown = (digits: string): string => moneyText(amountTyped(digits, currency), currency);
  const isAll = pad.kind === "refund" && pad.isLinked && pad.goods === "";
  return (
    <output class="amount number" aria-label="Amount">
      <span class="amount-sum">{isAll ? "All of it" : shown(sumOf(pad.goods, pad.tip))}</span>
      {pad.typing === "tip" || pad.tip !== "" ? (
        <span class="soft">
          {shown(pad.goods)} and a tip of {shown(pad.tip)}
        </span>
      ) : (
        <span class="soft">
          {isAll ? "or type how much" : pad.kind === "refund" && pad.isLinked ? "of the sale" : " "}
        </span>
      )}
    </output>
  );
}

function Keys({ onKey }: { readonly onKey: (key: PadKey) => void }) {
  return (
    <div class="keys">
      {PAD_KEYS.map((key) => (
        <button
          key={key}
          type="button"
          class="key number"
          aria-label={key === "back" ? "Take back the last digit" : undefined}
          // Keeps the focus, so that the keyboard continues the amount after a press by mouse or finger.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onKey(key)}
        >
          {key === "back" ? <BackIcon /> : key}
        </button>
      ))}
    </div>
  );
}

/** Digits type the amount wherever the focus is, except in another field. */
function usePadKeyboard(onKey: (key: PadKey) => void, onEnter: () => void, onEscape: () => void): void {
  useKeys((event) => {
    const at = event.target instanceof Element ? event.target : null;
    if (at?.matches("input:not([type=radio], [type=checkbox]), select, textarea") === true) return false;
    const key = padKeyOf(event.key);
    if (key !== undefined) onKey(key);
    else if (event.key === "Enter" && (at?.closest('button, a:not([aria-current="page"]), summary') ?? null) === null)
      onEnter();
    else if (event.key === "Escape") onEscape();
    else return false;
    return true;
  });
}
