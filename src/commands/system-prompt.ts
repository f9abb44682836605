import { linePrompt, type Prompt } from "./line-prompt.ts";

/** Questions on this process's terminal, or answers from its pipe. */
export function openPrompt(): Prompt {
  const { stdin, stdout } = process;
  const [typed, shown] = [stdin.isTTY === true, stdout.isTTY === true];
  return linePrompt({ input: stdin, output: stdout, isWatched: typed && shown, isEchoed: typed && !shown });
}
