import assert from "node:assert/strict";
import { nothingBooked, soldFor } from "../scenarios/ledger.ts";
import { openShop, type Shop } from "../scenarios/shop.ts";
import { openCuttingProxy } from "./cutting-proxy.ts";
import { type Ended, openPage, openProgram, type Seller } from "./sellers.ts";
import { type Example, readExamples } from "./table.ts";

/*
 * npm run test:examples: each command of examples/README.md sells against a bridge, a simulated terminal and the
 * sandbox; as it is written, over a connection that is cut twice, and with a card that is declined. The sandbox's
 * ledger says what was booked. .ci/examples-packages and .ci/chromium-packages install what the commands need.
 */

const say = (line: string): void => void process.stdout.write(`examples: ${line}\n`);

type Story = (shop: Shop, seller: Seller) => Promise<void>;

/** Each example names its reference first, or else the receipt does. */
const referenceOf = ({ text }: Ended): string => /^Reference:? +(\S+)$/m.exec(text)?.[1] ?? "";

const bridgeOf = (shop: Shop) => ({ url: shop.url(), token: shop.registerToken });

const sells: Story = async (shop, { sell }) => {
  const ended = await sell(bridgeOf(shop));
  assert.equal(ended.code, 0, ended.text);
  assert.match(ended.text, /^Insert, tap or swipe the card$/m);
  assert.match(ended.text, /^ +CUSTOMER COPY$/m);
  assert.match(ended.text, /^Amount +12\.34 EUR$/m);
  assert.match(ended.text, /^Approved: hand over the goods\.$/m);
  assert.deepEqual(await shop.booksOf(referenceOf(ended)), soldFor("12.34"));
};

const sellsOnceOverCuts: Story = async (shop, { sell }) => {
  const proxy = await openCuttingProxy(shop.url());
  try {
    const ended = await sell({ url: proxy.url, token: shop.registerToken }, "22.22");
    assert.equal(ended.code, 0, ended.text);
    assert.equal(proxy.connections(), 3, ended.text);
    const [first, ...later] = proxy.resumedAfter;
    assert.equal(first, undefined);
    assert.equal(later.length, 2);
    const resumedAfter = later.at(-1) ?? "";
    assert.ok(proxy.cursors.has(resumedAfter), `resumed after ${resumedAfter || "no cursor"}`);
    assert.match(ended.text, /^(No connection, trying again|The connection to the payment bridge was lost)/m);
    assert.match(ended.text, /^Unknown yet: The gateway gave no clear answer in time\.$/m);
    assert.doesNotMatch(ended.text, /^(Failed|Declined|Cancelled|Refused)/m);
    assert.match(ended.text, /^Approved: hand over the goods\.$/m);
    assert.deepEqual(await shop.booksOf(referenceOf(ended)), soldFor("22.22"));
  } finally {
    proxy.close();
  }
};

const tellsDecline: Story = async (shop, { sell }) => {
  const ended = await sell(bridgeOf(shop), "9100.05");
  assert.equal(ended.code, 1, ended.text);
  assert.match(ended.text, /^Declined: The card's bank declined the payment\.$/m);
  assert.deepEqual(await shop.booksOf(referenceOf(ended)), nothingBooked);
};

const tellsRefusal: Story = async (shop, { sell }) => {
  const ended = await sell(bridgeOf(shop), "0.00");
  assert.equal(ended.code, 2, ended.text);
  assert.match(ended.text, /^Refused: amount /m);
};

const STORIES = {
  sells,
  "sells once although its connection is cut twice": sellsOnceOverCuts,
  "tells a decline": tellsDecline,
  "tells a refusal": tellsRefusal,
};
/** How many approved sales the stories of one example make. */
const SALES = 2;
/** Examples that run at once. They share the terminal, for which each sale waits its turn. */
const LANES = 3;

async function play(shop: Shop, sellers: ReadonlyMap<Example, Seller>): Promise<void> {
  const tasks = [...sellers].flatMap(([{ language }, seller]) =>
    Object.entries(STORIES).map(([name, story]) => ({ title: `${language} ${name}`, run: () => story(shop, seller) })),
  );
  const lane = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const { title, run } = task;
      const begun = performance.now();
      await run().catch((cause: unknown) => {
        tasks.length = 0;
        throw new Error(`${title}: ${cause instanceof Error ? cause.message : String(cause)}`);
      });
      say(`${title} (${Math.round(performance.now() - begun)} ms)`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const { PA } = await shop.books();
  assert.equal(PA, SALES * sellers.size, "the ledger has another number of approved sales");
  assert.deepEqual(await shop.contradictions(), []);
}

const sellers = new Map<Example, Seller>();
const closers: (() => Promise<void>)[] = [];
try {
  const origins: string[] = [];
  for (const example of readExamples()) {
    const seller = example.file.endsWith(".html") ? await openPage(example) : openProgram(example);
    closers.push(seller.close);
    sellers.set(example, seller);
    if (seller.origin !== undefined) origins.push(seller.origin);
  }
  assert.ok(sellers.size > 0, "examples/README.md has no table of commands");
  const shop = await openShop({
    automatic: true,
    timeouts: { cardMs: 30_000, pinMs: 30_000, removalMs: 10_000 },
    configuration: [`origins: ${JSON.stringify(origins)}`],
  });
  closers.push(shop.close);
  await play(shop, sellers);
} catch (error) {
  say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  for (const close of closers) await close();
}
