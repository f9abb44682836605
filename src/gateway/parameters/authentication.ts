import { chapter } from "./chapter.ts";
import { matching } from "./format.ts";

/** The access token travels in the Authorization header and is no parameter. */
export const authentication = chapter("Authentication parameters", [
  ["entityId", matching("hex32", "[0-9a-f]{32}", "be 32 lowercase hexadecimal digits"), "conditional"],
]);
