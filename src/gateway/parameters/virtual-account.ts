import { chapter } from "./chapter.ts";
import { text } from "./format.ts";

export const virtualAccount = chapter("Virtual account", [["virtualAccount.accountId", text(1, 100), "required"]]);
