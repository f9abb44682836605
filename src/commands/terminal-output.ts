/** Where a command writes and how it ends; passed in, so that a test reads what a person would. */
export interface Output {
  /** One line to stdout. */
  out(line: string): void;
  /** One line to stderr. */
  err(line: string): void;
  /** Colour and progress only where a person watches. */
  readonly tty: boolean;
  /** What is being waited for, on a line that the next one overwrites; nothing where nobody watches. Without words it is taken away. */
  progress?(words?: string): void;
  /** Resolves when the process was asked to stop by a signal. A command that has asked for it stays until then, also where stdout takes nothing any more. */
  readonly stopped: Promise<void>;
}

/** Wrong usage or configuration: one clear line on stderr that names the thing to fix, exit code 2. */
export class UsageProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageProblem";
  }
}

/** The operation was refused or failed: one clear line on stderr, exit code 1. */
export class OperationFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OperationFailed";
  }
}
