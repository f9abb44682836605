import { chapter } from "./chapter.ts";
import { text } from "./format.ts";

/** Required, and the only field: there is no virtual account without it. */
export const virtualAccount = chapter("Virtual account", [["virtualAccount.accountId", text(1, 100), "required"]]);
