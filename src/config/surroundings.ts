/** What a look at a file that the configuration names gave. */
export type Look =
  | { readonly is: "file"; readonly text: string; readonly othersMayRead: boolean }
  | { readonly is: "absent" }
  | { readonly is: "unreadable"; readonly detail: string };

/** What a configuration is checked against besides itself; passed in, so that the check is a function of its arguments. */
export interface Surroundings {
  /** The roster's ids. */
  readonly models: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  look(path: string): Look;
  /** The path with links followed, or itself where it leads nowhere. */
  followed(path: string): string;
}
