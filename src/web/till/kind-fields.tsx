import { useState } from "preact/hooks";
import type { Pad, PadEvent } from "./pad-state.ts";
import { cardById, type StoredCard } from "./stored-cards.ts";

interface KindFieldsProps {
  readonly pad: Pad;
  readonly cards: readonly StoredCard[];
  readonly tell: (event: PadEvent) => void;
}

/** Additional fields of the kind of payment. */
export function KindFields({ pad, cards, tell }: KindFieldsProps) {
  const set = (change: Partial<Pad>): void => tell({ is: "set", change });
  switch (pad.kind) {
    case "sale":
    case "reserve":
      return <SaleOptions pad={pad} set={set} />;
    case "refund":
      return <RefundFields pad={pad} set={set} />;
    case "link":
      return (
        <label>
          What it is for (the customer's bank may show it)
          <input
            value={pad.description}
            maxLength={255}
            onInput={({ currentTarget }) => set({ description: currentTarget.value })}
          />
        </label>
      );
    case "stored-card":
      return <StoredCardChoice pad={pad} cards={cards} set={set} />;
  }
}

interface FieldsProps {
  readonly pad: Pad;
  readonly set: (change: Partial<Pad>) => void;
}

function SaleOptions({ pad, set }: FieldsProps) {
  const isTip = pad.typing === "tip";
  return (
    <div class="options">
      {!pad.onlyStores && (
        <button type="button" aria-pressed={isTip} class="tip" onClick={() => set({ typing: isTip ? "goods" : "tip" })}>
          {isTip ? "Tip: type it" : pad.tip === "" ? "Add a tip" : "Change the tip"}
        </button>
      )}
      <details>
        <summary class="button" data-kind="quiet">
          More
        </summary>
        <div class="options-more">
          {!pad.onlyStores && (
            <>
              <Check
                label="Store the card for later payments"
                checked={pad.storesCard}
                onChange={(storesCard) => set({ storesCard })}
              />
              <Check
                label="Take a part where the bank approves no more"
                checked={pad.takesPart}
                onChange={(takesPart) => set({ takesPart })}
              />
              <Check
                label="The card number is typed on the terminal"
                checked={pad.isKeyed}
                onChange={(isKeyed) => set({ isKeyed })}
              />
            </>
          )}
          {pad.kind === "sale" && (
            <Check
              label="Only store the card, take no money"
              checked={pad.onlyStores}
              onChange={(onlyStores) => set({ onlyStores })}
            />
          )}
        </div>
      </details>
    </div>
  );
}

function Check({
  label,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  );
}

function RefundFields({ pad, set }: FieldsProps) {
  return (
    <fieldset class="refund-fields">
      <legend class="for-readers">What is refunded</legend>
      <label class="check">
        <input type="radio" name="refund" checked={pad.isLinked} onChange={() => set({ isLinked: true })} />
        Of an earlier sale
      </label>
      <label class="check">
        <input type="radio" name="refund" checked={!pad.isLinked} onChange={() => set({ isLinked: false })} />
        To a card at the terminal, sale not known
      </label>
      {pad.isLinked && (
        <label>
          Reference of the sale
          <input
            value={pad.refundOf}
            maxLength={64}
            autocomplete="off"
            onInput={({ currentTarget }) => set({ refundOf: currentTarget.value })}
          />
          <span class="hint">It stands on the receipt. Or open the sale in the history.</span>
        </label>
      )}
    </fieldset>
  );
}

function StoredCardChoice({ pad, cards, set }: FieldsProps & Pick<KindFieldsProps, "cards">) {
  const [isTyped, setTyped] = useState(false);
  const choose = (value: string): void => {
    setTyped(value === "typed");
    set({ stored: cards.find(({ registration }) => registration === value) });
  };
  return (
    <div class="stack-small">
      <label>
        Stored card
        <select
          value={isTyped ? "typed" : (pad.stored?.registration ?? "")}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="" disabled>
            Choose a card
          </option>
          {cards.map(({ registration, name }) => (
            <option key={registration} value={registration}>
              {name}
            </option>
          ))}
          <option value="typed">Another card, by its id</option>
        </select>
      </label>
      {isTyped && (
        <label>
          The gateway's id of the card
          <input
            value={pad.stored?.registration ?? ""}
            maxLength={64}
            autocomplete="off"
            onInput={({ currentTarget }) =>
              set({ stored: currentTarget.value.trim() === "" ? undefined : cardById(currentTarget.value.trim()) })
            }
          />
        </label>
      )}
      <p class="soft small">Charge it only with the cardholder's consent.</p>
    </div>
  );
}
