import { describe, expect, test } from "vitest";
import { TRANSACTION_MARGIN_MS as idtech } from "../../drivers/idtech-vp3300/timing.ts";
import { TRANSACTION_MARGIN_MS as ingenico } from "../../drivers/ingenico-ipp350/timing.ts";
import { TRANSACTION_MARGIN_MS as dynaflex } from "../../drivers/magtek-dynaflex/timing.ts";
import { TRANSACTION_MARGIN_MS as edynamo } from "../../drivers/magtek-edynamo/timing.ts";
import { TRANSACTION_MARGIN_MS as miura } from "../../drivers/miura-m020/timing.ts";
import { TRANSACTION_MARGIN_MS as pax } from "../../drivers/pax-d180/timing.ts";
import { TRANSACTION_MARGIN_MS as verifone } from "../../drivers/verifone-p400/timing.ts";
import { deviceOverdue } from "../../src/payment/admission/limits.ts";
import { Story, sale } from "../support/sale.ts";

/*
 * A driver ends a collect by itself, a while after the last moment for card and PIN, and then brings its device to rest
 * within 15 s (time-limits.test.ts). A payment that gave
 * up before would tell its register of a terminal that stopped answering while a slow customer chooses, confirms and
 * types.
 */

/** Longest way of any driver back to where nothing runs. */
const STOP_MS = 15_000;

describe("a payment waits for a card", () => {
  test.each(Object.entries({ idtech, ingenico, dynaflex, edynamo, miura, pax, verifone }))(
    "as long as %s may take for one",
    (_, marginMs) => {
      const { payment, now } = new Story().meets({ on: "leased" });
      const { cardMs, pinMs } = sale.rules;
      expect((deviceOverdue(payment) ?? 0) - now).toBeGreaterThanOrEqual(cardMs + pinMs + marginMs + STOP_MS);
    },
  );
});
