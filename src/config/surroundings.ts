import type { AccessChain } from "../kit/path-access.ts";

/** What a look at the configuration, or at a file that it names, gave. */
export type Look =
  | { readonly is: "file"; readonly text: string; readonly access: AccessChain }
  | { readonly is: "absent" }
  | { readonly is: "unreadable"; readonly detail: string };

/** A model that a terminal may be: what of it the configuration depends on. */
export interface KnownModel {
  readonly id: string;
  /** The ways in which it can be connected. */
  readonly lines: readonly { readonly kind: "serial" | "tcp" | "usb" | "websocket" }[];
  /** What is wrong with options that are set for it, and the mend; undefined where nothing is. */
  optionsProblem(given: Readonly<Record<string, string>>): string | undefined;
  /** What a shop has to ask its acquirer where these options are set for it, one line each; absent: nothing. */
  acquirerQuestions?(given: Readonly<Record<string, string>>): readonly string[];
}

/** What a configuration is checked against besides itself; passed in, so that the check is a function of its arguments. */
export interface Surroundings {
  /** The roster. */
  readonly models: readonly KnownModel[];
  readonly env: Readonly<Record<string, string | undefined>>;
  look(path: string): Look;
  /** The number of the user who runs this. */
  readonly user: number;
  /** The path with links followed, or itself where it leads nowhere. */
  followed(path: string): string;
}
