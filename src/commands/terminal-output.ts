/** A command's output and end; passed in, so that a test can read it. */
export interface Output {
  /** One line to stdout. */
  out(line: string): void;
  /** One line to stderr. */
  err(line: string): void;
  /** Colour and progress only on a person's screen. */
  readonly tty: boolean;
  /**
   * Shows progress on a line that the next call overwrites; no effect without a screen. Without words, clears the line.
   */
  progress?(words?: string): void;
  /**
   * Resolves when a signal asked the process to stop. A command that reads it stays until then, even if stdout fails.
   */
  readonly stopped: Promise<void>;
}

/** Wrong usage or configuration: one clear line on stderr that names the fix, exit code 2. */
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
