import { expect, test } from "vitest";
import { createDeletions, type Deletions } from "../../../src/engine/gateway/deletions.ts";
import { type DeletionBook, type GatewayOrder, JournalUnwritable, type Json } from "../../../src/engine/ports.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import type { Answer } from "../../../src/payment/fact/answer.ts";
import { till } from "../../support/counter.ts";
import { notSent, refusal, silence } from "../../support/sale.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

const request = { reference: "D-1", registration: "8ac7a49f000000000000000000000001" };
const channel = { environment: "test", entityId: "first", settlement: "dual" } as const;
const said = { resultCode: "000.100.110", description: "" };
const gone: Answer = { is: "approved", id: "dr-1", ...said, review: false, issuer: {} };
const notThere: Answer = { is: "already-reversed", ...said };

/** A book in memory, which outlives the process. */
function openBook(): DeletionBook & {
  readonly fail: { next: boolean };
  readonly jobs: Map<string, { open: boolean; job: Json }>;
} {
  const jobs = new Map<string, { open: boolean; job: Json }>();
  const fail = { next: false };
  const copy = (job: Json): Json => JSON.parse(JSON.stringify(job));
  return {
    fail,
    jobs,
    keep: async ({ register, reference, open, job }) => {
      if (fail.next) throw new JournalUnwritable("disk full");
      jobs.set(JSON.stringify([register, reference]), { open, job: copy(job) });
    },
    find: async (register, reference) => jobs.get(JSON.stringify([register, reference]))?.job,
    open: async () => [...jobs.values()].filter(({ open }) => open).map(({ job }) => job),
  };
}

interface Life {
  readonly clock: VirtualClock;
  readonly deletions: Deletions;
  readonly posted: GatewayOrder[];
  readonly alarms: string[];
  readonly throttled: string[];
}

/**
 * One process over a book: the gateway answers 50 ms after the request, one answer after the other, the last of them
 * for ever.
 */
function begin(
  answers: readonly Answer[],
  book = openBook(),
  entities: readonly string[] = ["first"],
  clock = createVirtualClock(1_000_000),
): Life {
  const posted: GatewayOrder[] = [];
  const alarms: string[] = [];
  const throttled: string[] = [];
  const deletions = createDeletions({
    book,
    clock,
    random: seededRandom(clock.now()),
    channels: entities.map((entityId) => ({ ...channel, entityId })),
    budget: { throttled: (entityId) => void throttled.push(entityId) },
    alarms: { raise: ({ reference, register, what }) => void alarms.push(`${register} ${reference}: ${what}`) },
    hostAnswerMs: 45_000,
    gateway: {
      post: (order) => {
        const answer = answers[Math.min(posted.length, answers.length - 1)] ?? silence;
        posted.push(order);
        return new Promise((resolve) => clock.after(50, () => resolve(answer)));
      },
    },
  });
  return { clock, deletions, posted, alarms, throttled };
}

async function ask({ clock, deletions }: Life, what = request, forMs = 11_000) {
  const asked = deletions.ask(till, what);
  await clock.advance(forMs);
  return asked;
}

test("a stored card is deleted by one request, and the same words again ask nobody", async () => {
  const life = begin([gone]);
  expect(await ask(life)).toEqual({ ok: true, value: "deleted" });
  expect(life.posted.map(({ operation }) => operation)).toMatchObject([
    { paymentType: "DR", referencedId: request.registration, entityId: "first" },
  ]);
  expect(await ask(life)).toEqual({ ok: true, value: "deleted" });
  expect(life.posted.length).toBe(1);
});

test("a card that is not there is already deleted; under the used reference no other card is", async () => {
  const life = begin([notThere]);
  expect(await ask(life)).toEqual({ ok: true, value: "already-deleted" });
  expect(await ask(life, { ...request, registration: "8ac7a49f000000000000000000000002" })).toMatchObject({
    refusal: { code: "reference-reused" },
  });
});

test("every channel of the shop is asked before a card is called absent, and none after it was found", async () => {
  const life = begin([notThere, gone, notThere], openBook(), ["first", "second", "third"]);
  expect(await ask(life)).toEqual({ ok: true, value: "deleted" });
  expect(life.posted.map(({ operation }) => operation.entityId)).toEqual(["first", "second"]);
  const nowhere = begin([notThere], openBook(), ["first", "second", "third"]);
  expect(await ask(nowhere)).toEqual({ ok: true, value: "already-deleted" });
  expect(nowhere.posted.length).toBe(3);
});

test("silence is unknown, and goes on until it is known; absent then means that the first request did it", async () => {
  const life = begin([silence, silence, silence, notThere]);
  expect(await ask(life, request, 10_000)).toEqual({ ok: true, value: "unknown" });
  expect(life.posted.length).toBe(2);
  await life.clock.advance(30_000);
  expect(await ask(life)).toEqual({ ok: true, value: "deleted" });
  expect(life.posted.length).toBe(4);
  expect(life.alarms).toEqual([`till ${request.reference}: deleting a stored card has not succeeded after 3 tries`]);
});

test("a deletion that only an absent card suggests does not end the other channels", async () => {
  const life = begin([silence, silence, notThere, gone], openBook(), ["first", "second"]);
  await ask(life);
  expect(await ask(life)).toEqual({ ok: true, value: "deleted" });
  expect(life.posted.map(({ channel: { entityId } }) => entityId)).toEqual(["first", "second", "first", "second"]);
});

test("a card that no channel has any more was deleted by the request without an answer", async () => {
  const life = begin([silence, notThere], openBook(), ["first", "second"]);
  expect(await ask(life)).toEqual({ ok: true, value: "deleted" });
  expect(life.posted.length).toBe(3);
});

test.each([
  ["never left", notSent],
  ["was refused", refusal()],
  ["was throttled", { is: "throttled", ...said } as const],
])("a request that %s has not done it: absent afterwards is somebody else's doing", async (_what, answer) => {
  const life = begin([answer, notThere]);
  expect(await ask(life)).toEqual({ ok: true, value: "already-deleted" });
  expect(life.throttled).toEqual(answer.is === "throttled" ? ["first"] : []);
});

test("two askers at once make one deletion", async () => {
  const life = begin([gone]);
  const answers = Promise.all([life.deletions.ask(till, request), life.deletions.ask(till, request)]);
  await life.clock.advance(1_000);
  expect(await answers).toEqual([
    { ok: true, value: "deleted" },
    { ok: true, value: "deleted" },
  ]);
  expect(life.posted.length).toBe(1);
});

test("a process that is killed with the request on the wire leaves it to the next one, which asks again", async () => {
  const book = openBook();
  const first = begin([silence], book);
  void first.deletions.ask(till, request);
  await first.clock.advance(10);
  expect(first.posted.length).toBe(1);
  const next = begin([notThere], book);
  await next.deletions.recover();
  await next.clock.advance(1_000);
  expect(await ask(next)).toEqual({ ok: true, value: "deleted" });
  expect(await book.open()).toEqual([]);
});

test("nothing is asked of the gateway that could not be written down, and nothing after the stop", async () => {
  const book = openBook();
  book.fail.next = true;
  const life = begin([gone], book);
  expect(await ask(life)).toMatchObject({ refusal: { code: "journal-unwritable" } });
  expect(life.posted).toEqual([]);
  book.fail.next = false;
  const stopping = begin([silence], book);
  await ask(stopping, request, 10_000);
  stopping.deletions.stop();
  const count = stopping.posted.length;
  await stopping.clock.advance(3_600_000);
  expect(stopping.posted.length).toBe(count);
  expect(await ask(stopping, { ...request, reference: "D-2" })).toMatchObject({ refusal: { code: "shutting-down" } });
});

test("a deletion that is taken up while the disk is full waits for room, and goes on by itself", async () => {
  const book = openBook();
  const first = begin([silence], book);
  void first.deletions.ask(till, request);
  await first.clock.advance(10);
  book.fail.next = true;
  const next = begin([gone], book);
  await next.deletions.recover();
  expect(await ask(next)).toEqual({ ok: true, value: "unknown" });
  expect(next.posted).toEqual([]);
  book.fail.next = false;
  await next.clock.advance(60_000);
  expect(next.posted.length).toBe(1);
  expect(await book.open()).toEqual([]);
});

test("what the gateway says while the disk is full is told once it is written down, without the gateway being asked again", async () => {
  const book = openBook();
  const life = begin([notThere], book);
  const asked = life.deletions.ask(till, request);
  await life.clock.advance(20);
  book.fail.next = true;
  await life.clock.advance(11_000);
  expect(await asked).toEqual({ ok: true, value: "unknown" });
  book.fail.next = false;
  await life.clock.advance(6_000);
  expect(await ask(life)).toEqual({ ok: true, value: "already-deleted" });
  expect([...book.jobs.values()].map(({ open }) => open)).toEqual([false]);
  expect(life.posted).toHaveLength(1);
});

test("one of another version, which cannot be read, keeps nobody from starting, and no other one from going on", async () => {
  const book = openBook();
  const job = {
    register: "till",
    reference: "D-0",
    registration: request.registration,
    places: "as of another version",
  };
  book.jobs.set(JSON.stringify(["till", "D-0"]), { open: true, job });
  const before = begin([silence], book);
  expect(await ask(before)).toEqual({ ok: true, value: "unknown" });
  const after = begin([gone], book);
  await after.deletions.recover();
  await after.clock.advance(1_000);
  expect(after.alarms).toEqual(["till D-0: the deletion of a stored card cannot be read, and rests"]);
  expect(await ask(after)).toEqual({ ok: true, value: "deleted" });
  expect(await ask(after, { ...request, reference: "D-0" })).toMatchObject({
    refusal: { code: "not-allowed", path: "reference" },
  });
  expect(book.jobs.get(JSON.stringify(["till", "D-0"]))?.job).toEqual(job);
});
