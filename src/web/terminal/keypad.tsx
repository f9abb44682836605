import type { ComponentChildren } from "preact";

interface KeypadProps {
  readonly onPress: (keys: string) => void;
  readonly isOn: boolean;
}

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;

/** Keys of a PIN pad: digits, red, yellow and green. */
export function Keypad({ onPress, isOn }: KeypadProps) {
  const key = (keys: string, name: string, face: ComponentChildren, kind?: string) => (
    <button
      key={keys}
      type="button"
      class="key"
      data-kind={kind}
      aria-label={name}
      disabled={!isOn}
      onClick={() => onPress(keys)}
    >
      {face}
    </button>
  );
  return (
    <fieldset class="keypad">
      <legend class="for-readers">Keys of the terminal</legend>
      {DIGITS.map((digit) => key(digit, digit, digit))}
      <span />
      {key("0", "0", "0")}
      <span />
      {key("CANCEL", "Cancel, the red key", "✕", "cancel")}
      {key("CLEAR", "Clear, the yellow key", "‹", "clear")}
      {key("ENTER", "Enter, the green key", "○", "enter")}
    </fieldset>
  );
}

const NAMED: Readonly<Record<string, string>> = { Backspace: "CLEAR", Escape: "CANCEL" };

/** The terminal's key for a keyboard key, while the terminal has the focus. */
export function terminalKey(key: string): string | undefined {
  return /^[0-9]$/.test(key) ? key : NAMED[key];
}
