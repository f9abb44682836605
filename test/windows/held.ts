import assert from "node:assert/strict";
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { killProgram, type Program } from "../scenarios/program.ts";
import { realTime } from "../support/waiting.ts";
import type { Windows } from "./machine.ts";
import { createToken, type Proved, type Stage, sellOnce, stopOverControl } from "./steps.ts";
import type { Shop } from "./world.ts";

/**
 * The parts of a Windows program that holds a file open: the Node for Windows and koffi's native part, on this machine.
 */
export interface Holder {
  readonly node: string;
  readonly koffi: string;
}

const HELD_MS = 12_000;

/**
 * The witness is replaced, by a rename, where it was damaged and a technician accepts the journal's last fact (`journal
 * accept`). A program that holds the damaged file for
 * good makes that fail with a clear line and changes nothing; one that lets go within a second is waited for.
 */
export async function witnessHeldOpen({ windows }: Stage, shop: Shop, holder: Holder): Promise<Proved> {
  const witness = join(shop.dataFolder, "journal.witness");
  writeFileSync(witness, "not a witness\n");
  const refused = await shop.command("run", "--config", shop.config);
  assert.equal(refused.code, 1);
  const fact = /journal accept ([0-9]+)/.exec(refused.out.join(" "))?.[1];
  assert(fact !== undefined, `the refusal names no fact to accept: ${refused.out.join(" ")}`);
  const accept = () => shop.command("journal", "accept", fact, "--config", shop.config);

  const forGood = await hold(windows, shop, holder, "never");
  const held = await accept();
  assert.equal(held.code, 2, held.out.join("; "));
  assert.match(held.out.join(" "), /journal\.witness.*end the program that has the file open/);
  await forGood.end();

  const forAMoment = await hold(windows, shop, holder, "journal.witness.new");
  const accepted = await accept();
  assert.equal(accepted.code, 0, accepted.out.join("; "));
  await forAMoment.end();

  const bridge = await shop.start();
  const till = await shop.till(await createToken(shop, "till-4"));
  const took = await sellOnce(till, "after-witness");
  till.client.close();
  await stopOverControl(shop, bridge);
  return `held for good: "${held.out.at(-1)}"; held until 330 ms after the rename was due: went on; a sale afterwards in ${took} ms`;
}

/**
 * Holds the witness open in a Windows program of its own. `until`: the file of the data folder at whose sight it begins
 * to let go.
 */
async function hold(
  windows: Windows,
  { config }: Shop,
  holder: Holder,
  until: string,
): Promise<{ end(): Promise<void> }> {
  const place = (name: string): string => `${windows.place}\\${name}`;
  for (const [from, name] of [
    [holder.node, "node.exe"],
    [holder.koffi, "koffi.node"],
    [join(import.meta.dirname, "hold-file.ts"), "hold-file.ts"],
  ] as const) {
    if (!existsSync(join(windows.folder, name))) copyFileSync(from, join(windows.folder, name));
  }
  const ready = join(windows.folder, "held");
  rmSync(ready, { force: true });
  const data = config.replace(/posbridge\.yaml$/, "data\\");
  const program: Program = windows.start(
    place("node.exe"),
    place("hold-file.ts"),
    place("koffi.node"),
    `${data}journal.witness`,
    place("held"),
    `${data}${until}`,
  );
  const looking = async (): Promise<void> => {
    while (!existsSync(ready)) await realTime.pause(20);
  };
  await realTime.within(HELD_MS, Promise.race([looking(), program.ended]), () => "the witness is not held");
  assert(existsSync(ready), `the witness is not held: ${program.out.join(" | ")}`);
  return {
    end: async () => {
      if (until === "never") for (const id of windows.running()) process.kill(id, "SIGKILL");
      await realTime.within(HELD_MS, program.ended, () => "the witness is still held");
      await killProgram(program);
    },
  };
}
