import { useRef } from "preact/hooks";
import { CardFace } from "./card-face.tsx";
import type { Card, Model, Screen, Way, Wish } from "./control-schema.ts";
import { waysFor } from "./hint.ts";
import { Waves } from "./icons.tsx";
import { Keypad, terminalKey } from "./keypad.tsx";
import type { Doings } from "./use-terminal.ts";

export interface DrawnTerminalProps {
  readonly model: Model;
  readonly screen: Screen;
  /** The visitor's card. */
  readonly hand: Card;
  readonly inserted: Card | undefined;
  readonly held: Card | undefined;
  readonly doings: Doings;
}

/** The terminal in its model's shape; the card can be put to slot, contactless field and magstripe reader. */
export function DrawnTerminal(props: DrawnTerminalProps) {
  const { model, screen, doings } = props;
  const { shape, title } = model;
  const isOn = screen.plugged && screen.lights.power;
  const keyed = useKeyboard(doings.press, shape.keys && isOn);
  return (
    <section
      class="device"
      data-form={shape.form}
      data-colour={shape.colour}
      data-stripe={shape.stripeAt}
      data-keys={shape.keys ? "" : undefined}
      aria-label={title}
      onKeyDown={keyed}
    >
      <Cable isPlugged={screen.plugged} />
      <div class="device-body">
        {shape.stripe && <Place way="swipe" label="Stripe" {...props} />}
        <div class="device-front">
          <span class="device-name">{title}</span>
          <Lights screen={screen} />
          {shape.display ? (
            <Display screen={screen} isOn={isOn} />
          ) : (
            <p class="for-readers" role="status">
              {wishWords(screen.waitsFor)}
            </p>
          )}
          {shape.contactless && <Place way="tap" label="Contactless field" {...props} />}
          {shape.keys && <Keypad onPress={doings.press} isOn={isOn} />}
        </div>
        {shape.slot && <Place way="insert" label="Card slot" {...props} />}
      </div>
    </section>
  );
}

/**
 * Digits, Backspace and Escape act as terminal keys while the terminal has the focus; so does Enter after a typed
 * digit.
 */
function useKeyboard(press: Doings["press"], isOn: boolean): (event: KeyboardEvent) => void {
  const hasTyped = useRef(false);
  return (event) => {
    if (!isOn || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key === "Enter" && hasTyped.current ? "ENTER" : terminalKey(event.key);
    if (key === undefined) return;
    event.preventDefault();
    hasTyped.current = /^[0-9]$/.test(key);
    press(key);
  };
}

function Cable({ isPlugged }: { readonly isPlugged: boolean }) {
  return (
    <div class="cable" data-plugged={isPlugged ? "" : undefined} aria-hidden="true">
      <span class="cable-plug" />
    </div>
  );
}

const LAMPS = [0, 1, 2, 3] as const;

/** The four lamps of a reader: the first pulses while waiting, all shine while working. */
function Lights({ screen: { lights, waitsFor, plugged, hung } }: { readonly screen: Screen }) {
  const shining = !plugged || !lights.power || hung ? 0 : lights.busy ? 4 : waitsFor === null ? 1 : 2;
  return (
    <span class="lamps" data-waits={waitsFor !== null ? "" : undefined} aria-hidden="true">
      {LAMPS.map((lamp) => (
        <span key={lamp} class="lamp" data-on={lamp < shining ? "" : undefined} />
      ))}
    </span>
  );
}

/** Text on a device's own screen that its host cannot write. */
function wishWords(wish: Wish | null): string {
  switch (wish) {
    case "card":
      return "Present card";
    case "swipe":
      return "Swipe card";
    case "number":
      return "Card number";
    case "expiry":
      return "Expiry MMYY";
    case "application":
      return "Select application";
    case "pin":
      return "Enter PIN";
    case "removal":
      return "Remove card";
    case null:
      return "";
  }
}

function Display({ screen, isOn }: { readonly screen: Screen; readonly isOn: boolean }) {
  const own = screen.lines.length > 0 ? screen.lines : [wishWords(screen.waitsFor)];
  const lines = isOn ? own : [];
  return (
    <div class="display" role="status" data-on={isOn ? "" : undefined} aria-label="Display of the terminal">
      {lines.map((line, at) => (
        // Display lines have only their position as key.
        <span key={`${at}`} class="display-line">
          {line}
        </span>
      ))}
    </div>
  );
}

interface PlaceProps extends DrawnTerminalProps {
  readonly way: Extract<Way, "insert" | "tap" | "swipe">;
  readonly label: string;
}

const VERBS = { insert: "Insert", tap: "Hold", swipe: "Swipe" } as const;

/** A place of the terminal that accepts a card, by press or drop. */
function Place({ way, label, model, screen, hand, inserted, held, doings }: PlaceProps) {
  const taken = way === "insert" ? inserted : way === "tap" ? held : undefined;
  const fits = waysFor(hand, model).includes(way);
  const act = (): void => {
    if (taken !== undefined) doings.remove();
    else doings.present(hand.name, way);
  };
  const words =
    taken !== undefined ? `${label}: take ${taken.name} out` : `${label}: ${VERBS[way].toLowerCase()} ${hand.name}`;
  const isWanted = wants(way, screen);
  return (
    <button
      type="button"
      class={`place place-${way}`}
      data-wanted={isWanted ? "" : undefined}
      data-taken={taken !== undefined ? "" : undefined}
      title={words}
      disabled={taken === undefined && (!fits || (way === "insert" && inserted !== undefined))}
      onClick={act}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (taken === undefined && fits) act();
      }}
    >
      <span class="for-readers">{words}</span>
      {way === "tap" && <Waves />}
      {taken !== undefined && <CardFace card={taken} />}
    </button>
  );
}

function wants(way: PlaceProps["way"], { waitsFor, slot }: Screen): boolean {
  if (waitsFor === "removal") return way === "insert" && slot.card !== null;
  return waitsFor === "card" || (waitsFor === "swipe" && way === "swipe");
}
