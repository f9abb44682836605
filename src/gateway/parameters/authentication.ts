import { chapter } from "./chapter.ts";
import { matching } from "./format.ts";

/** The access token is no parameter: it goes into the Authorization header. */
export const authentication = chapter("Authentication parameters", [
  ["entityId", matching("hex32", "[0-9a-f]{32}", "be 32 lowercase hexadecimal digits"), "conditional"],
]);
