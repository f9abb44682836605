import { type Chapter, parameters } from "./chapter.ts";
import { matching } from "./format.ts";

/** The access token travels in the Authorization header and is no parameter. */
export const authentication: Chapter = {
  title: "Authentication parameters",
  parameters: parameters([["entityId", matching("[0-9a-f]{32}", "be 32 lowercase hexadecimal digits"), "conditional"]]),
  rules: [],
};
