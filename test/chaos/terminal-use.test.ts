import { describe, expect, test } from "vitest";
import { createTerminalUse } from "./terminal-use.ts";

describe("a terminal as its registers hear of it", () => {
  const sale = (reference: string, state: string) => ({ reference, terminal: "till-1", state, type: "SALE" });

  test("is one payment's after the other's", () => {
    const use = createTerminalUse();
    const states = ["CREATED", "AWAITING_CARD", "AUTHORIZING", "COMPLETING", "FINAL"];
    for (const reference of ["A", "B"])
      for (const state of states) expect(use.hear(sale(reference, state))).toBeUndefined();
  });

  test("is never two payments' at once", () => {
    const use = createTerminalUse();
    use.hear(sale("A", "AUTHORIZING"));
    expect(use.hear(sale("B", "QUEUED"))).toBeUndefined();
    expect(use.hear(sale("B", "AWAITING_CARD"))).toBe("till-1 is used by B (AWAITING_CARD) while A has it");
  });

  test("is free for the next one while a reversal goes on", () => {
    const use = createTerminalUse();
    use.hear(sale("A", "COMPLETING"));
    use.hear(sale("A", "REVERSING"));
    expect(use.hear(sale("B", "AWAITING_CARD"))).toBeUndefined();
  });

  test("is not what a link or a stored card uses", () => {
    const use = createTerminalUse();
    use.hear({ reference: "A", terminal: "", state: "AWAITING_CARD", type: "SALE" });
    expect(use.hear({ reference: "B", terminal: "", state: "AUTHORIZING", type: "SALE" })).toBeUndefined();
  });

  test("is not what a capture uses", () => {
    const use = createTerminalUse();
    use.hear(sale("A", "AWAITING_CARD"));
    expect(use.hear({ reference: "C", terminal: "till-1", state: "AUTHORIZING", type: "CAPTURE" })).toBeUndefined();
  });
});
