import { type Chapter, parameters } from "./chapter.ts";
import { flag } from "./format.ts";

export const tokenization: Chapter = {
  title: "Tokenization and registration parameters",
  parameters: parameters([
    ["createRegistration", flag],
    ["overrideHolder", flag],
  ]),
  rules: [],
};
