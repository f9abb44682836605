import { useState } from "preact/hooks";
import { brandName, CardFace } from "./card-face.tsx";
import type { Card, Group, Model, Screen, Way } from "./control-schema.ts";
import { bestWay, spaced, waysFor } from "./hint.ts";
import type { Doings } from "./use-terminal.ts";

interface HandProps {
  readonly card: Card;
  readonly model: Model;
  readonly screen: Screen;
  readonly doings: Doings;
}

const WAY_NAMES: Readonly<Record<Way, string>> = { insert: "Insert", tap: "Tap", swipe: "Swipe", key: "Type number" };
const WAYS: readonly Way[] = ["insert", "tap", "swipe", "key"];

/** The visitor's card with its possible actions. */
export function Hand({ card, model, screen, doings }: HandProps) {
  const ways = waysFor(card, model);
  const best = bestWay(card, model, screen);
  const isIn = screen.slot.card !== null || screen.reader.card !== null;
  return (
    <div class="hand">
      <button
        type="button"
        class="hand-card"
        draggable
        disabled={best === undefined || isIn}
        onDragStart={(event) => event.dataTransfer?.setData("text/plain", card.name)}
        onClick={() => best !== undefined && doings.present(card.name, best)}
      >
        <span class="for-readers">
          The card in your hand: {card.name}. Drag it to the terminal, or use the buttons beside it.
        </span>
        <CardFace card={card} />
      </button>
      <div class="hand-words">
        <h3>{card.name}</h3>
        <p class="soft small">{card.title}</p>
        {card.pin !== undefined && (
          <p class="pin-hint">
            PIN <strong class="mono">{card.pin}</strong> <span class="soft small">(a test card’s may be told)</span>
          </p>
        )}
        {card.typed !== undefined && (
          <p class="small">
            <span class="mono">{spaced(card.typed.number)}</span>, expiry <span class="mono">{card.typed.expiry}</span>
          </p>
        )}
        <div class="row">
          {WAYS.filter((way) => isOffered(way, card, screen)).map((way) => (
            <button
              key={way}
              type="button"
              data-kind={way === best && !isIn ? "main" : undefined}
              disabled={whyNot(way, ways, screen) !== undefined}
              title={whyNot(way, ways, screen)}
              onClick={() => doings.present(card.name, way)}
            >
              {card.group === "phone" && way === "tap" ? "Hold phone to it" : WAY_NAMES[way]}
            </button>
          ))}
          <button
            type="button"
            data-kind={isIn && screen.waitsFor === "removal" ? "main" : undefined}
            disabled={!isIn}
            onClick={doings.remove}
          >
            Pull out
          </button>
        </div>
      </div>
    </div>
  );
}

/** Typing is offered only for cards made for typing, or if the terminal asks for a number. */
function isOffered(way: Way, { ways, group }: Card, { waitsFor }: Screen): boolean {
  return ways.includes(way) && (way !== "key" || group === "typed" || waitsFor === "number");
}

function whyNot(way: Way, ways: readonly Way[], screen: Screen): string | undefined {
  if (!ways.includes(way)) return "this model has no reader for that";
  if (way === "insert" && screen.slot.card !== null) return "a card is in the slot: pull it out first";
  return way === "key" && screen.waitsFor !== "number" ? "only while the terminal asks for a number" : undefined;
}

const GROUPS: readonly { readonly group: Group; readonly name: string }[] = [
  { group: "chip", name: "Chip" },
  { group: "tap", name: "Contactless" },
  { group: "phone", name: "Phones" },
  { group: "stripe", name: "Stripe" },
  { group: "typed", name: "To type" },
  { group: "odd", name: "Odd ones" },
];

interface DeckProps {
  readonly deck: readonly Card[];
  readonly hand: Card;
  readonly onTake: (card: string) => void;
}

/** All cards, one group at a time. */
export function Deck({ deck, hand, onTake }: DeckProps) {
  const [group, setGroup] = useState<Group>(hand.group);
  const shown = GROUPS.filter((each) => deck.some((card) => card.group === each.group));
  return (
    <div class="deck">
      <fieldset class="groups">
        <legend class="for-readers">Kinds of cards</legend>
        {shown.map((each) => (
          <button
            key={each.group}
            type="button"
            class="group"
            aria-pressed={each.group === group}
            onClick={() => setGroup(each.group)}
          >
            {each.name}
          </button>
        ))}
      </fieldset>
      <ul class="cards">
        {deck
          .filter((card) => card.group === group)
          .map((card) => (
            <li key={card.name}>
              <button
                type="button"
                class="deck-card"
                aria-pressed={card.name === hand.name}
                onClick={() => onTake(card.name)}
              >
                <CardFace card={card} size="small" />
                <span class="deck-words">
                  <strong>{card.name}</strong>
                  <span class="soft small">{card.title}</span>
                  <span class="for-readers">
                    {brandName(card.brand)}, ends in {card.last4}
                  </span>
                </span>
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}
