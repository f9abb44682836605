import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cardNamed } from "../../packages/sandbox/testbed/deck.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import { openBooks } from "../scenarios/shop.ts";
import type { Till } from "../scenarios/till.ts";
import { realTime } from "../support/waiting.ts";
import { plain, type Windows } from "./machine.ts";
import { type Shop, startSale, type World } from "./world.ts";

export interface Stage {
  readonly windows: Windows;
  readonly world: World;
  /** The programs, as Windows names them. */
  readonly shopProgram: string;
  readonly demoProgram: string;
  readonly version: string;
}

/** What a step proved, in figures. */
export type Proved = string;

/** Everything that the programs printed. */
export type Printed = string[];

export async function words({ windows, shopProgram, demoProgram, version }: Stage, shop: Shop): Promise<Proved> {
  const help = await windows.run(shopProgram, "--help");
  assert.equal(help.code, 0);
  assert.match(help.out.join("\n"), /^Usage: posbridge/);
  const told = await windows.run(shopProgram, "--version");
  assert.equal(told.code, 0);
  assert.match(
    told.out.join("\n"),
    new RegExp(`^posbridge ${version.replaceAll(".", "\\.")} \\([0-9a-f]+.*, win-x64\\)$`),
  );
  assert.deepEqual(await shop.command("check-config", shop.config), { code: 0, out: ["ok"] });
  const refused = await windows.run(demoProgram, "simulate", "miura-m020", "--pty", "till-1");
  assert.deepEqual(refused, {
    code: 2,
    out: ["posbridge: --pty till-1: Windows has no pseudo-terminals; give --tcp PORT instead"],
  });
  const unknown = await windows.run(shopProgram, "nonsense");
  assert.equal(unknown.code, 2);
  return `help of ${help.out.length} lines, ${told.out.join("")}, check-config ok, exit code 2 twice`;
}

export async function createToken(shop: Shop, register: string, ...scopes: readonly string[]): Promise<string> {
  const wanted = scopes.flatMap((scope) => ["--scope", scope]);
  const { code, out } = await shop.command(
    "tokens",
    "create",
    "--register",
    register,
    ...wanted,
    "--config",
    shop.config,
  );
  const [token = ""] = out;
  assert.equal(code, 0, out.join("; "));
  assert.match(token, /^pbt_\S+$/);
  return token;
}

const FREE_MS = 10_000;

/** The card of the sale before is out. */
async function untilFree({ client }: Till): Promise<void> {
  while ((await client.terminals()).some(({ state }) => state !== "ready")) await realTime.pause(50);
}

/** One sale that is approved; how long it took. */
export async function sellOnce(till: Till, reference: string, entryMode = "ICC"): Promise<number> {
  await realTime.within(FREE_MS, untilFree(till), () => "the terminal does not become ready");
  const begun = performance.now();
  await startSale(till.client, reference);
  const { outcome, card } = await till.settled(reference);
  assert.deepEqual({ outcome, entryMode: card?.entryMode }, { outcome: "APPROVED", entryMode });
  return Math.round(performance.now() - begun);
}

/** Ends the bridge by `stop`, and the process with 0. */
export async function stopOverControl(
  shop: Shop,
  bridge: { readonly ended: Promise<{ readonly code: number | null }> },
): Promise<number> {
  const begun = performance.now();
  const stopped = await shop.command("stop", "--config", shop.config);
  assert.equal(stopped.code, 0, stopped.out.join("; "));
  assert.equal((await bridge.ended).code, 0);
  return Math.round(performance.now() - begun);
}

export async function saleOverTcp({ world }: Stage, shop: Shop): Promise<Proved> {
  const bridge = await shop.start();
  const till = await shop.till(await createToken(shop, "till-1"));
  const took = await sellOnce(till, "tcp-1");
  const listed = await shop.command("payments", "list", "--config", shop.config, "--json");
  assert.equal(listed.code, 0);
  assert.match(listed.out.join("\n"), /"reference": ?"tcp-1"/);
  // Parked: the gateway is asked and says nothing until after the bridge has ended.
  await world.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 120_000, times: 1 });
  await startSale(till.client, "tcp-parked");
  await till.state("tcp-parked", "AUTHORIZING");
  const ended = await stopOverControl(shop, bridge);
  till.client.close();
  return `token made over the pipe while the bridge ran; sale in ${took} ms; payments list shows it; stop parked an open payment and ended with 0 in ${ended} ms`;
}

const KILLS = 20;

export async function killsInSales({ world }: Stage, shop: Shop): Promise<Proved> {
  const random = seededRandom(25);
  let bridge = await shop.start();
  const token = await createToken(shop, "till-2", "payments", "payments:all");
  let inSale = 0;
  for (let number = 1; number <= KILLS; number += 1) {
    const till = await shop.till(token);
    await startSale(till.client, `kill-${number}`).catch(() => undefined);
    await realTime.pause(number * 75 + random.below(70));
    await shop.kill(bridge);
    if (till.told.every(({ payment }) => payment.state !== "FINAL")) inSale += 1;
    till.client.close();
    bridge = await shop.start();
  }
  const last = await shop.till(token);
  const payments = await untilAllFinal(last);
  const books = openBooks(world.sandbox, async () => shop.till(token));
  assert.deepEqual(await books.contradictions(), []);
  await sellOnce(last, "after-kills");
  last.client.close();
  await stopOverControl(shop, bridge);
  const approved = payments.filter(({ outcome }) => outcome === "APPROVED").length;
  return `${KILLS} kills, ${inSale} of them while a sale was open; of ${payments.length} payments ${approved} approved, all final; ledger = journal; one more sale approved`;
}

const FINAL_MS = 30_000;

async function untilAllFinal(till: Till) {
  const looking = async () => {
    for (;;) {
      const { payments } = await till.client.list({ limit: 500 });
      if (payments.every(({ state, capture }) => state === "FINAL" && capture !== "pending")) return payments;
      await realTime.pause(200);
    }
  };
  return realTime.within(FINAL_MS, looking(), () => "some payments do not become final");
}

export async function saleOverCom(_: Stage, shop: Shop): Promise<Proved> {
  const bridge = await shop.start();
  const till = await shop.till(await createToken(shop, "till-3"));
  const took = [await sellOnce(till, "com-1"), await sellOnce(till, "com-2")];
  till.client.close();
  const scan = await shop.command("terminals", "scan", "--json");
  assert.equal(scan.code, 0);
  const ended = await stopOverControl(shop, bridge);
  return `2 sales over COM5 in ${took.join(" and ")} ms; terminals scan ended with 0; stopped in ${ended} ms`;
}

export async function demoOnce({ windows, demoProgram }: Stage): Promise<Proved> {
  const begun = performance.now();
  const { code, out } = await windows.run(demoProgram, "demo", "--once");
  assert.equal(code, 0, out.join("\n"));
  assert.equal(out.at(-1)?.trim(), "APPROVED");
  assert.match(out.join("\n"), /simulated Miura M020 at 127\.0\.0\.1:\d+/);
  return `sandbox, terminal over TCP, bridge and sale in one Windows program: approved after ${Math.round((performance.now() - begun) / 1000)} s`;
}

/** Looks for the numbers of the cards that were used, in every file on drive C: and in all that was printed. */
export function noCardNumbers({ windows }: Stage, printed: Printed): Proved {
  const cards = ["visa-contact", "mastercard-contact"].map((name) => cardNamed(name)?.pan ?? name);
  const forms = cards
    .flatMap((pan) => [pan, pan.replace(/(.{4})(?=.)/g, "$1 "), pan.replace(/(.{4})(?=.)/g, "$1-")])
    .flatMap(encoded);
  const found = (bytes: Buffer): boolean => forms.some((form) => bytes.includes(form));
  const planted = join(windows.folder, "planted.txt");
  writeFileSync(planted, `card ${cards[0]}`);
  const drive = join(windows.folder, "..");
  const roots = [
    windows.folder,
    join(drive, "users"),
    join(drive, "ProgramData"),
    join(drive, "windows", "temp"),
  ].filter((path) => existsSync(path));
  const files = roots.flatMap(filesBelow).filter((file) => !/\.(exe|node|dll)$/.test(file));
  const leaking = files.filter((file) => found(readFileSync(file)));
  assert.deepEqual(leaking, [planted], "card numbers are found in other files than the planted one");
  const all = Buffer.from(plain(printed).join("\n"));
  assert.equal(found(all), false, "a card number was printed");
  const bytes = files.reduce((total, file) => total + readFileSync(file).length, 0);
  return `${files.length} files of ${Math.round(bytes / 1e3)} kB and ${all.length} bytes of output: none of ${cards.length} card numbers, in text, UTF-16, hexadecimal and base 64; a planted one was found`;
}

function encoded(text: string): readonly Buffer[] {
  const raw = Buffer.from(text);
  const packed = /^\d+$/.test(text) && text.length % 2 === 0 ? [Buffer.from(text, "hex")] : [];
  const digits = raw.toString("hex");
  return [
    raw,
    ...packed,
    Buffer.from(text, "utf16le"),
    Buffer.from(digits),
    Buffer.from(digits.toUpperCase()),
    Buffer.from(raw.toString("base64").replace(/=+$/, "")),
  ];
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
