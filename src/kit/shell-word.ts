import type { Platform } from "./platform.ts";

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A text as one word of a POSIX shell's command: printed commands are pasted, also where a folder's name has spaces or quotes. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const PLAIN_ON_WINDOWS = /^[A-Za-z0-9_+:.\\/][A-Za-z0-9_+:.\\/-]*$/;
/** Inside double quotes cmd and PowerShell read something into these, each into other ones. */
const NOT_QUOTED_ALIKE = /["$`%!\u201c-\u201e]/;

/** A text as one word of a command that is pasted on this system. */
export function commandWord(text: string, platform: Platform): string {
  return platform === "windows" ? windowsWord(text) : shellWord(text);
}

/**
 * For cmd and PowerShell alike, as far as one form can be: double quotes, in which a backslash at the end is doubled, because it would take the quote for a letter. Where the
 * two differ the word is PowerShell's, which is what Windows opens today.
 */
function windowsWord(text: string): string {
  if (PLAIN_ON_WINDOWS.test(text)) return text;
  if (NOT_QUOTED_ALIKE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return `"${text.replace(/\\+$/, (end) => end + end)}"`;
}
