import type { AccessChain } from "../kit/path-access.ts";

/** The result of reading the configuration, or a file named in it. */
export type Look =
  | { readonly is: "file"; readonly text: string; readonly access: AccessChain }
  | { readonly is: "absent" }
  | { readonly is: "unreadable"; readonly detail: string };

/** A model of terminal, as far as the configuration depends on it. */
export interface KnownModel {
  readonly id: string;
  /** Supported connections. */
  readonly lines: readonly { readonly kind: "serial" | "tcp" | "usb" | "websocket" }[];
  /** The problem of the model's options, with the fix; undefined: none. */
  optionsProblem(given: Readonly<Record<string, string>>): string | undefined;
  /** Questions for the acquirer that these options raise, one line each; absent: none. */
  acquirerQuestions?(given: Readonly<Record<string, string>>): readonly string[];
}

/** The machine for the checks; passed in, so that the check is a pure function. */
export interface Surroundings {
  /** All known models. */
  readonly models: readonly KnownModel[];
  readonly env: Readonly<Record<string, string | undefined>>;
  look(path: string): Look;
  /** The user who runs this. */
  readonly user: number;
  /** The path with links followed; unchanged if nothing is there. */
  followed(path: string): string;
}
