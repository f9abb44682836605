import { chapter } from "./chapter.ts";
import { matching } from "./format.ts";

export const chargeback = chapter("Chargeback", [
  ["chargebackResultCode", matching("000.100.2NN", "000\\.100\\.2[0-9]{2}", "be 000.100.2 and 2 more digits")],
]);
