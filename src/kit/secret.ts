import { inspect } from "node:util";

/**
 * A value that must not reach a log, the journal, an error or a screen: printed or serialized, it is "[secret]". Only
 * `reveal` returns it, so that every access can be found by name.
 */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}
