/** What parts the fields of a body (PROTOCOL.md 2.4). */
export const FS = "\x1c";
export const GS = "\x1d";
/** A form's answer without a key. */
export const NO_KEY = "\x1f";
