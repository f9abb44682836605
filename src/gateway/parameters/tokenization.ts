import { chapter } from "./chapter.ts";
import { flag } from "./format.ts";

export const tokenization = chapter("Tokenization and registration parameters", [
  ["createRegistration", flag],
  ["overrideHolder", flag],
]);
