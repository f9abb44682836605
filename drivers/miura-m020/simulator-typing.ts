import { fromAscii } from "../../src/kit/bytes.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { CardProfile } from "../../src/testbed/card-profile.ts";
import type { SealedBytes } from "../../src/testbed/secure-module.ts";
import { tags } from "./message.ts";
import { after, become, type Chip, failed, type Typing } from "./simulator-chip.ts";

/** A person who does not type in this time does not want to (inferred: the protocol names no time). */
const TYPING_MS = 60_000;

const SHORTEST_PIN = 4;
const LONGEST_PIN = 12;
/** C5: how often the PIN may be wrong. An online PIN is counted by the issuer, so this never falls. */
const PIN_TRIES = 3;

/** Has something typed; `limitMs` where it is not the usual time. */
export function startTyping(chip: Chip, typing: Omit<Typing, "at" | "typed">, limitMs: number = TYPING_MS): void {
  become(chip, { ...typing, at: "typing", typed: "" });
  after(chip, limitMs, () => typing.left("timeout"));
  typing.show("");
}

/** A key of the device. Outside an entry only the red one means something. */
export function keyPressed(chip: Chip, key: Key): void {
  const { state } = chip;
  if (state.at !== "typing") {
    if (key === "CANCEL" && (state.at === "reading" || state.at === "deciding" || state.at === "tapping")) failed(chip, "9F41");
    return;
  }
  switch (key) {
    case "CANCEL":
      state.left("cancelled");
      break;
    case "CLEAR":
      retype(chip, state, "");
      break;
    case "ENTER":
      if (state.typed.length >= state.least) state.entered(state.typed);
      break;
    default:
      if (state.typed.length < state.most) retype(chip, state, state.typed + key);
  }
}

function retype(chip: Chip, state: Typing, typed: string): void {
  chip.state = { ...state, typed };
  state.show(typed);
}

export interface PinEntry {
  readonly amount: string;
  readonly card: CardProfile;
  readonly ofSlot: boolean;
  readonly entered: (block: SealedBytes | undefined) => void;
  readonly left: Typing["left"];
  readonly behind?: Typing["behind"];
}

/** Has the PIN typed that belongs to a card, and seals it; the block is undefined where the PIN keys are used up. */
export function startPin(chip: Chip, { amount, card, ofSlot, entered, left, behind }: PinEntry): void {
  const { panel, secure } = chip.on;
  chip.output.status(pinEvent("Enter PIN", { tag: tags.pinTries, value: Uint8Array.of(PIN_TRIES) }));
  startTyping(chip, {
    least: SHORTEST_PIN,
    most: LONGEST_PIN,
    show: (typed) => panel.show([`Amount ${amount}`, "Enter PIN", "*".repeat(typed.length)]),
    entered: (typed) => {
      const block = secure.sealPin(typed, card.pan);
      panel.wishFor(undefined);
      if (block !== undefined) chip.output.status(pinEvent("PIN OK", { tag: "DFA102", value: Uint8Array.of(0x02) }));
      entered(block);
    },
    left,
    ofSlot,
    ...(behind && { behind }),
  });
  panel.wishFor("pin");
}

function pinEvent(text: string, more: { readonly tag: string; readonly value: Uint8Array }) {
  return [{ tag: tags.statusCode, value: Uint8Array.of(0x02) }, { tag: tags.statusText, value: fromAscii(text) }, more];
}
