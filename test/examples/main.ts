import assert from "node:assert/strict";
import { nothingBooked, soldFor } from "../scenarios/ledger.ts";
import { killProgram, type Program, startCommand } from "../scenarios/program.ts";
import { openShop, type Shop } from "../scenarios/shop.ts";
import { openCuttingProxy } from "./cutting-proxy.ts";
import { type Example, readExamples, wordsOf } from "./table.ts";

/*
 * npm run test:examples: each command of examples/README.md sells against a bridge, a simulated terminal and the
 * sandbox; as it is written, over a connection that is cut twice, and with a card that is declined. The sandbox's
 * ledger says what was booked. .ci/examples-packages installs what the commands need.
 */

const say = (line: string): void => void process.stdout.write(`examples: ${line}\n`);

/** Debian's own interpreters, and no other that a developer may have in front of them. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin", HOME: "/nonexistent" };

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

const started = new Set<Program>();

async function run([command = "", ...argv]: readonly string[]): Promise<Ended> {
  const program = startCommand(command, argv, { cwd: process.cwd(), env: ENVIRONMENT });
  started.add(program);
  const { code } = await program.ended;
  started.delete(program);
  return { code, text: [...program.out, ...program.err].join("\n") };
}

/** A sale by an example: how it is called, and what must come of it. */
type Story = (shop: Shop, example: Example) => Promise<void>;

const referenceOf = ({ text }: Ended): string => /^Reference: (\S+)$/m.exec(text)?.[1] ?? "";

const sells: Story = async (shop, example) => {
  const ended = await run(wordsOf(example, shop.url(), shop.registerToken));
  assert.equal(ended.code, 0, ended.text);
  assert.match(ended.text, /^Insert, tap or swipe the card$/m);
  assert.match(ended.text, /^ +CUSTOMER COPY$/m);
  assert.match(ended.text, /^Amount +12\.34 EUR$/m);
  assert.match(ended.text, /^Approved: hand over the goods\.$/m);
  assert.deepEqual(await shop.booksOf(referenceOf(ended)), soldFor("12.34"));
};

const sellsOnceOverCuts: Story = async (shop, example) => {
  const proxy = await openCuttingProxy(shop.url());
  const reference = `${example.language}/cut`;
  try {
    const ended = await run([...wordsOf(example, proxy.url, shop.registerToken), "22.22", reference]);
    assert.equal(ended.code, 0, ended.text);
    assert.equal(proxy.connections(), 3, ended.text);
    const [first, ...later] = proxy.resumedAfter;
    assert.equal(first, undefined);
    assert.equal(later.length, 2);
    for (const after of later) assert.ok(after !== undefined && proxy.cursors.has(after), `resumed after ${after}`);
    assert.equal(referenceOf(ended), reference);
    assert.match(ended.text, /^No connection, trying again/m);
    assert.match(ended.text, /^Unknown yet: The gateway gave no clear answer in time\.$/m);
    assert.doesNotMatch(ended.text, /^(Failed|Declined|Cancelled|Refused)/m);
    assert.match(ended.text, /^Approved: hand over the goods\.$/m);
    assert.deepEqual(await shop.booksOf(reference), soldFor("22.22"));
  } finally {
    proxy.close();
  }
};

const isDeclined: Story = async (shop, example) => {
  const reference = `${example.language}/declined`;
  const ended = await run([...wordsOf(example, shop.url(), shop.registerToken), "9100.05", reference]);
  assert.equal(ended.code, 1, ended.text);
  assert.match(ended.text, /^Declined: The card's bank declined the payment\.$/m);
  assert.deepEqual(await shop.booksOf(reference), nothingBooked);
};

const isRefused: Story = async (shop, example) => {
  const ended = await run([...wordsOf(example, shop.url(), shop.registerToken), "12"]);
  assert.equal(ended.code, 2, ended.text);
  assert.match(ended.text, /^Refused: amount in EUR is a decimal string/m);
};

const STORIES: readonly (readonly [string, Story])[] = [
  ["sells", sells],
  ["sells once although its connection is cut twice", sellsOnceOverCuts],
  ["tells a decline", isDeclined],
  ["tells a refusal", isRefused],
];

const shop = await openShop({ automatic: true, timeouts: { cardMs: 30_000, pinMs: 30_000, removalMs: 10_000 } });
const tasks = readExamples().flatMap((example) => STORIES.map(([name, story]) => ({ example, name, story })));
try {
  assert.ok(tasks.length > 0, "examples/README.md has no table of commands");
  const lane = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const begun = performance.now();
      await task.story(shop, task.example).catch((cause: unknown) => {
        throw new Error(`${task.example.language} ${task.name}: ${cause instanceof Error ? cause.message : cause}`);
      });
      say(`${task.example.language} ${task.name} (${Math.round(performance.now() - begun)} ms)`);
    }
  };
  await Promise.all([lane(), lane(), lane()]);
  assert.deepEqual(await shop.contradictions(), []);
} catch (error) {
  tasks.length = 0;
  say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  for (const program of started) await killProgram(program);
  await shop.close();
}
