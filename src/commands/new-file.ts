import { closeNewFile } from "../kit/system-access-list.ts";
import type { Output } from "./terminal-output.ts";

/** Closes a new file to others if its mode cannot (Windows), and warns if that fails. */
export function warnIfOpen(file: string, output: Pick<Output, "err">, close: typeof closeNewFile = closeNewFile): void {
  const problem = close(file);
  if (problem !== undefined)
    output.err(`${file} may be read by whoever may read its folder (${problem}); move it where others cannot`);
}
