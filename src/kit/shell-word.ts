import type { Platform } from "./platform.ts";

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * Quotes a text as one word for a POSIX shell: printed commands are pasted, and a folder's name may have spaces or
 * quotes.
 */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const PLAIN_ON_WINDOWS = /^[A-Za-z0-9_+:.\\/][A-Za-z0-9_+:.\\/-]*$/;
/** Characters that cmd or PowerShell expand inside double quotes. */
const NOT_QUOTED_ALIKE = /["$`%!\u201c-\u201e]/;

/** Quotes a text as one word for the shell of this system. */
export function commandWord(text: string, platform: Platform): string {
  return platform === "windows" ? windowsWord(text) : shellWord(text);
}

/**
 * One form for cmd and PowerShell if possible: double quotes, with backslashes at the end doubled, because they would
 * escape the quote. If the two differ, PowerShell decides: Windows opens it today.
 */
function windowsWord(text: string): string {
  if (PLAIN_ON_WINDOWS.test(text)) return text;
  if (NOT_QUOTED_ALIKE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return `"${text.replace(/\\+$/, (end) => end + end)}"`;
}
