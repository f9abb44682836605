import { chapter } from "./chapter.ts";
import { returnAddress } from "./format.ts";

/** redirect.* is in responses only and cannot be sent. */
export const asynchronous = chapter(
  "Asynchronous payments",
  [
    ["shopperResultUrl", returnAddress, "conditional"],
    ["notificationUrl", returnAddress],
  ],
  [],
  ["`redirect.url` and `redirect.parameters[n].name` and `.value` are in responses only."],
);
