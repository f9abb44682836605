import { type Chapter, parameters } from "./chapter.ts";
import { matching, text } from "./format.ts";

/** Echoed back in the response. */
export const customParameters: Chapter = {
  title: "Custom parameters and scheme data",
  parameters: parameters([
    ["customParameters[key]", text(0, 2048), "conditional", matching("[A-Za-z0-9._]{3,64}", "have a name of 3-64 letters, digits, dots or underscores")],
  ]),
  rules: [],
};
