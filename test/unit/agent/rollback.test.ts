import { expect, it } from "vitest";
import { rollbackReasons } from "../../../src/agent/rollback.ts";

it("a bridge that is not ready because its data folder was put back names the whole command that confirms it", () => {
  const rollback = { number: 1, noticedAt: "2026-02-03T08:00:00.000Z", last: 0, shown: [] };
  expect(rollbackReasons({ rollbacks: () => [rollback] })).toEqual([
    expect.stringContaining("(posbridge rollbacks confirm --reason TEXT)"),
  ]);
  expect(
    rollbackReasons({
      rollbacks: () => [{ ...rollback, confirmed: { at: rollback.noticedAt, by: "Anna", reason: "disk exchanged" } }],
    }),
  ).toEqual([]);
});
