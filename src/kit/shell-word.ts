const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A text as one word of a POSIX shell's command: printed commands are pasted, also where a folder's name has spaces or quotes. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
