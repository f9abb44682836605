import { linePrompt, type Prompt } from "./line-prompt.ts";

/** Questions on this process's terminal, or answers from its pipe. */
export function openPrompt(): Prompt {
  const { stdin, stdout } = process;
  return linePrompt({ input: stdin, output: stdout, isWatched: stdin.isTTY === true && stdout.isTTY === true });
}
