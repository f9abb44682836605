import type { Prompt } from "../../../src/commands/line-prompt.ts";

/**
 * A person who answers what is asked by its first words, each with the next of the answers; a pipe where nobody
 * watches.
 */
export function scriptedPrompt(answers: Readonly<Record<string, readonly string[]>>, isWatched = true) {
  const asked: string[] = [];
  const told: string[] = [];
  const left = new Map(Object.entries(answers).map(([words, list]) => [words, [...list]]));
  const prompt: Prompt = {
    isWatched,
    ask: async (text) => {
      asked.push(text);
      const [, list = []] = [...left].find(([words]) => text.startsWith(words)) ?? [];
      const [next] = list.splice(0, 1);
      if (next === undefined) throw new Error(`nobody answers "${text}"`);
      return next;
    },
    tell: (line) => void told.push(line),
    interrupted: new Promise(() => undefined),
    close: () => undefined,
  };
  return { prompt, asked, told };
}
