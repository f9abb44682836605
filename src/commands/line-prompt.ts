import readline from "node:readline";
import { Writable } from "node:stream";
import { OperationFailed, UsageProblem } from "./terminal-output.ts";

/** Asks a person, or reads the answers from a pipe, one a line. */
export interface Prompt {
  /** A person answers, and may correct a mistake. */
  readonly isWatched: boolean;
  /** `hidden`: the input is not shown. Rejects if no more answers come. */
  ask(text: string, how?: { readonly hidden?: boolean }): Promise<string>;
  tell(line: string): void;
  /** Rejects once Ctrl-C was pressed. */
  readonly interrupted: Promise<never>;
  close(): void;
}

interface PromptOn {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Both are a terminal. */
  readonly isWatched: boolean;
  /** Only the input is a terminal, which shows everything typed. */
  readonly isEchoed: boolean;
}

const INTERRUPTED = "stopped; nothing was written";
const ECHOED =
  "what is typed would be shown, because the output goes to a file or pipe; nothing was written: run it without that, or name a file or variable by option";
const ENDED = "the answers ended before all was asked; nothing was written";

export function linePrompt({ input, output, isWatched, isEchoed }: PromptOn): Prompt {
  let isHidden = false;
  const shown = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isHidden) output.write(chunk);
      done();
    },
  });
  // No history, because an access token is typed here.
  const lines = readline.createInterface({ input, output: shown, terminal: isWatched, historySize: 0 });
  const waiting: string[] = [];
  let hear: ((line: string) => void) | undefined;
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined);
  lines.on("line", (line) => {
    if (hear === undefined) waiting.push(line);
    else hear(line);
  });
  lines.on("SIGINT", () => {
    output.write("\n");
    over.reject(new OperationFailed(INTERRUPTED));
  });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  lines.on("close", () => ended.reject(new UsageProblem(ENDED)));
  const answer = (): Promise<string> => {
    const [next] = waiting.splice(0, 1);
    if (next !== undefined) return Promise.resolve(next);
    return new Promise((resolve) => {
      hear = (line) => {
        hear = undefined;
        resolve(line);
      };
    });
  };
  return {
    isWatched,
    ask: async (text, { hidden = false } = {}) => {
      if (hidden && isEchoed) throw new UsageProblem(`${text.replace(/:? *$/, "")}: ${ECHOED}`);
      if (isWatched) lines.setPrompt(text);
      output.write(isWatched && !hidden ? "" : text);
      isHidden = hidden && isWatched;
      if (isWatched && !hidden) lines.prompt();
      try {
        return (await Promise.race([answer(), over.promise, ended.promise])).trim();
      } finally {
        isHidden = false;
        // Neither a pipe's answer nor a hidden one ended the line on the screen.
        if (hidden || !isWatched) output.write("\n");
      }
    },
    tell: (line) => void output.write(`${line}\n`),
    interrupted: over.promise,
    close: () => lines.close(),
  };
}
