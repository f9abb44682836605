/** Loops that lost their guard end with this error. */
export class Endless extends Error {
  override readonly name = "Endless";
}

const NONE = -1;

/** Which guard is switched off, and which ones decided something. Guards reach it by the global name `__guards`. */
export class Switches {
  #off = NONE;
  #asked = 0;
  #limit = Number.POSITIVE_INFINITY;
  #matters = new Set<number>();

  isOn(id: number): boolean {
    this.#asked += 1;
    if (this.#asked > this.#limit) throw new Endless(`guards were asked more than ${this.#limit} times`);
    return id !== this.#off;
  }

  isOnAndMatters(id: number): boolean {
    this.#matters.add(id);
    return this.isOn(id);
  }

  said<T>(id: number, value: T): T {
    if (value) this.#matters.add(id);
    return value;
  }

  /** Guards that mattered since the last call. */
  mattered(): ReadonlySet<number> {
    const mattered = this.#matters;
    this.#matters = new Set();
    return mattered;
  }

  /** How often guards were asked since the last call of `begin`. */
  asked(): number {
    return this.#asked;
  }

  begin({
    off = NONE,
    limit = Number.POSITIVE_INFINITY,
  }: {
    readonly off?: number | undefined;
    readonly limit?: number;
  } = {}): void {
    this.#off = off;
    this.#limit = limit;
    this.#asked = 0;
  }
}
