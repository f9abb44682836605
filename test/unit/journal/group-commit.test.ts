import { describe, expect, it } from "vitest";
import { JournalUnwritable, type Json } from "../../../src/engine/ports.ts";
import {
  type Append,
  type Commit,
  groupCommit,
  MAX_BATCH,
  MAX_FACT_CHARACTERS,
  MAX_WAITING,
} from "../../../src/journal/group-commit.ts";
import { AT, paymentRow } from "./payment-row.ts";

/** A commit that notes its batches, under a schedule that runs when the test says so. */
function bench(commit: Commit = (batch) => batch.map((_, at) => ({ last: at + 1 }))) {
  const batches: (readonly Append[])[] = [];
  const scheduled: (() => void)[] = [];
  const commits = groupCommit(
    (batch) => {
      batches.push(batch);
      return commit(batch);
    },
    (run) => scheduled.push(run),
  );
  const turn = () => {
    for (const run of scheduled.splice(0)) run();
  };
  const append = (n: number) => commits.append([{ n }], AT, paymentRow(n));
  const appendFact = (fact: Json) => commits.append([fact], AT, paymentRow(1));
  return { batches, scheduled, turn, append, appendFact };
}

const order = (batches: readonly (readonly Append[])[]) => batches.flat().flatMap(({ facts }) => facts);

describe("group commit", () => {
  it("puts what was appended in one turn into one commit, in the order of the calls", async () => {
    const { append, turn, batches, scheduled } = bench();
    const all = [append(1), append(2), append(3)];
    expect(scheduled).toHaveLength(1);
    expect(batches).toHaveLength(0);
    turn();
    expect(await Promise.all(all)).toEqual([{ last: 1 }, { last: 2 }, { last: 3 }]);
    expect(batches).toHaveLength(1);
    expect(order(batches)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  });

  it("resolves nothing before its commit has run", async () => {
    const { append, turn } = bench();
    let settled = false;
    const one = append(1).then(() => {
      settled = true;
    });
    await Promise.resolve();
    expect(settled).toBe(false);
    turn();
    await one;
    expect(settled).toBe(true);
  });

  it(`commits at most ${MAX_BATCH} at once`, async () => {
    const { append, turn, batches } = bench();
    const all = Array.from({ length: 2 * MAX_BATCH + 1 }, (_, n) => append(n));
    turn();
    await Promise.all(all);
    expect(batches.map((batch) => batch.length)).toEqual([MAX_BATCH, MAX_BATCH, 1]);
    expect(order(batches)).toEqual(all.map((_, n) => JSON.stringify({ n })));
  });

  it("rejects every append of a commit that failed, and goes on with the next", async () => {
    let full = true;
    const { append, turn } = bench((batch) => {
      if (full) throw new JournalUnwritable("disk full");
      return batch.map(() => ({ last: 9 }));
    });
    const lost = [append(1), append(2)];
    turn();
    for (const one of await Promise.allSettled(lost))
      expect(one).toMatchObject({ status: "rejected", reason: new JournalUnwritable("disk full") });
    full = false;
    const kept = append(3);
    turn();
    expect(await kept).toEqual({ last: 9 });
  });

  it("rejects one append of a batch without its neighbours", async () => {
    const { append, turn } = bench((batch) =>
      batch.map((_, at) => (at === 1 ? { error: new RangeError("taken") } : { last: at })),
    );
    const all = [append(1), append(2), append(3)];
    turn();
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it(`refuses more than ${MAX_WAITING} that wait`, async () => {
    const { append, turn } = bench();
    const all = Array.from({ length: MAX_WAITING }, (_, n) => append(n));
    await expect(append(MAX_WAITING)).rejects.toThrow(
      new JournalUnwritable(`${MAX_WAITING} appends already wait for the disk`),
    );
    turn();
    expect(await Promise.all(all)).toHaveLength(MAX_WAITING);
  });

  it(`refuses a fact of more than ${MAX_FACT_CHARACTERS} characters of JSON and takes one of exactly as many`, async () => {
    const { appendFact, turn, batches } = bench();
    const text = "x".repeat(MAX_FACT_CHARACTERS - 2);
    const longest = appendFact(text);
    await expect(appendFact(`${text}x`)).rejects.toThrow(
      `a fact of ${MAX_FACT_CHARACTERS + 1} characters is longer than ${MAX_FACT_CHARACTERS}`,
    );
    turn();
    expect(await longest).toEqual({ last: 1 });
    expect(batches.flat()).toHaveLength(1);
  });

  it("keeps a fact as it was when it was appended, whatever its maker does to it later", async () => {
    const { appendFact, turn, batches } = bench();
    const fact = { text: "before" };
    const written = appendFact(fact);
    fact.text = "after";
    turn();
    await written;
    expect(order(batches)).toEqual(['{"text":"before"}']);
  });
});
