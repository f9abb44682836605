import type { ComponentChildren } from "preact";
import { Notice } from "../design/notice.tsx";
import type { Card, DeviceFault, Model, Screen } from "./control-schema.ts";
import { Deck, Hand } from "./deck.tsx";
import { DrawnTerminal } from "./drawn-terminal.tsx";
import { hintOf } from "./hint.ts";
import { cardNamed, type PageState } from "./page-state.ts";
import type { Doings } from "./use-terminal.ts";

interface StageProps {
  readonly state: PageState;
  readonly doings: Doings;
  /** The register, above the cards. */
  readonly children: ComponentChildren;
}

/** The terminal, with register and deck beside it. */
export function Stage({ state, doings, children }: StageProps) {
  const { model, screen } = state;
  const hand = cardNamed(state, state.hand);
  if (model === undefined || screen === undefined || hand === undefined)
    return (
      <Notice tone={state.link === "lost" ? "bad" : undefined}>
        {state.link === "lost" ? LOST : "Looking at the terminal…"}
      </Notice>
    );
  return (
    <div class="stage">
      <div class="stage-terminal">
        {state.link === "lost" && <Notice tone="bad">{LOST}</Notice>}
        <Terminal state={state} model={model} screen={screen} hand={hand} doings={doings} />
        <Disturb screen={screen} onDisturb={doings.disturb} />
      </div>
      <div class="stage-people">
        {children}
        <section class="card stack" aria-labelledby="deck-title">
          <div class="deck-head">
            <h2 id="deck-title">The customer’s cards</h2>
            <Customer screen={screen} tookOver={state.tookOver} onAct={doings.letCustomerAct} />
          </div>
          {state.problem !== undefined && <Notice tone="bad">That cannot be done: {state.problem}.</Notice>}
          <Hand card={hand} model={model} screen={screen} doings={doings} />
          <Deck deck={state.deck} hand={hand} onTake={doings.take} />
        </section>
      </div>
    </div>
  );
}

const LOST =
  "The simulated terminal does not answer. Is the demo still running? This page goes on by itself when it is back.";

interface TerminalProps {
  readonly state: PageState;
  readonly model: Model;
  readonly screen: Screen;
  readonly hand: Card;
  readonly doings: Doings;
}

function Terminal({ state, model, screen, hand, doings }: TerminalProps) {
  const presented = cardNamed(state, state.presented);
  return (
    <>
      <DrawnTerminal
        model={model}
        screen={screen}
        hand={hand}
        inserted={cardNamed(state, screen.slot.card)}
        held={cardNamed(state, screen.reader.card)}
        doings={doings}
      />
      <p class="next" role="status">
        {hintOf({ screen, model, hand, presented, isPinWrong: state.isPinWrong })}
      </p>
      {screen.waitsFor === "pin" && presented?.pin !== undefined && (
        <TypePin pin={presented.pin} onPress={doings.press} />
      )}
    </>
  );
}

/** Types the PIN, so that nobody has to press four keys. */
function TypePin({ pin, onPress }: { readonly pin: string; readonly onPress: (keys: string) => void }) {
  const wrong = pin === "9999" ? "8888" : "9999";
  return (
    <div class="row type-pin">
      <button type="button" data-kind="main" onClick={() => onPress(`CLEAR ${pin} ENTER`)}>
        Type PIN {pin}
      </button>
      <button type="button" onClick={() => onPress(`CLEAR ${wrong} ENTER`)}>
        Type {wrong}, a wrong one
      </button>
    </div>
  );
}

interface CustomerProps {
  readonly screen: Screen;
  readonly tookOver: boolean;
  readonly onAct: (acts: boolean) => void;
}

function Customer({ screen: { customer }, tookOver, onAct }: CustomerProps) {
  if (customer === null) return null;
  return (
    <div>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={customer.acts}
          aria-checked={customer.acts}
          onChange={(event) => onAct(event.currentTarget.checked)}
        />
        <span>
          <strong>The customer acts by himself</strong>
          <span class="soft small" role="status">
            {customer.acts
              ? `He uses ${customer.card}, and does what the terminal asks for.`
              : tookOver
                ? "You took over: you are the customer now."
                : "You are the customer."}
          </span>
        </span>
      </label>
    </div>
  );
}

const FAULTS: readonly { readonly fault: DeviceFault; readonly name: string }[] = [
  { fault: "hang", name: "Let it hang" },
  { fault: "reboot", name: "Restart it" },
  { fault: "drop-next-frame", name: "Lose its next frame" },
  { fault: "garbage", name: "Noise on the line" },
];

/** Events that happen to terminals in shops. */
function Disturb({ screen, onDisturb }: { readonly screen: Screen; readonly onDisturb: (fault: DeviceFault) => void }) {
  return (
    <fieldset class="disturb row">
      <legend class="for-readers">Disturb the terminal</legend>
      <button type="button" onClick={() => onDisturb(screen.plugged ? "unplug" : "plug")}>
        {screen.plugged ? "Pull the cable" : "Plug it in"}
      </button>
      {FAULTS.map(({ fault, name }) => (
        <button
          key={fault}
          type="button"
          disabled={!screen.plugged || (screen.hung && fault !== "reboot")}
          onClick={() => onDisturb(fault)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
