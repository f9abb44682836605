/** Control and format characters, lone surrogates, and the two separators that end a line in some programs. */
const OBEYED = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Colour and weight (ECMA-48, SGR), which the program itself writes. */
const COLOUR = /^\[[0-9]{1,2}m/;

/**
 * Text for a person's terminal: nothing in it moves the cursor, sets the title or turns the reading direction. Such a
 * character becomes its JSON escape, so that JSON stays the same value. Line ends, tabs and colours stay.
 */
export function harmlessText(text: string): string {
  return text.replace(OBEYED, (found, at: number) =>
    isKept(found, text.slice(at + 1, at + 5)) ? found : escapes(found),
  );
}

function isKept(found: string, behind: string): boolean {
  switch (found) {
    case "\n":
    case "\t":
    case "\f":
      return true;
    case "\r":
      return behind.startsWith("\n");
    case "\u001b":
      return COLOUR.test(behind);
    default:
      return false;
  }
}

function escapes(found: string): string {
  return found
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
