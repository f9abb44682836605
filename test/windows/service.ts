import assert from "node:assert/strict";
import { realTime } from "../support/waiting.ts";
import type { Ran } from "./machine.ts";
import { createToken, type Proved, type Stage, sellOnce } from "./steps.ts";
import type { Shop } from "./world.ts";

const STATE_MS = 6_000;

/** Installed as `service install` does it; started, asked and stopped by Windows' own commands. */
export async function serviceOfWindows({ windows, shopProgram }: Stage, shop: Shop): Promise<Proved> {
  const sc = (...argv: readonly string[]): Promise<Ran> => windows.run("sc", ...argv);
  const token = await createToken(shop, "till-5");
  const until = async (state: string): Promise<readonly string[]> => {
    let said: readonly string[] = [];
    const looking = async (): Promise<void> => {
      while (!said.some((line) => line.includes(state))) said = (await sc("query", "posbridge")).out;
    };
    await realTime.within(STATE_MS, looking(), () => `the service is not ${state}: ${said.join(" | ")}`);
    return said;
  };
  // A run that failed here left its service behind. One that runs is only marked for deletion.
  if ((await sc("stop", "posbridge")).code === 0) await until("STOPPED");
  await sc("delete", "posbridge");
  const installed = await windows.run(
    shopProgram,
    "service",
    "install",
    "--config",
    shop.config,
    "--program",
    shopProgram,
  );
  assert.equal(installed.code, 0, installed.out.join("; "));
  const begun = performance.now();
  assert.equal((await sc("start", "posbridge")).code, 0);
  await until("RUNNING");
  await shop.ready();
  const ready = Math.round(performance.now() - begun);
  const till = await shop.till(token);
  const took = await sellOnce(till, "service-1");
  till.client.close();
  const asked = performance.now();
  assert.equal((await sc("stop", "posbridge")).code, 0);
  const ended = await until("STOPPED");
  const stopped = Math.round(performance.now() - asked);
  assert.match(ended.join(" "), /WIN32_EXIT_CODE +: 0/);
  const removed = await windows.run(shopProgram, "service", "remove", "--config", shop.config);
  assert.equal(removed.code, 0, removed.out.join("; "));
  return `installed; ready ${ready} ms after sc start; sale in ${took} ms; sc stop ended it with 0 in ${stopped} ms; removed`;
}
