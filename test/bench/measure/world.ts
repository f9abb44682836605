import path from "node:path";
import { type BenchShop, deviceOf, openBenchShop, type Side } from "../shop/shop.ts";
import { startBare } from "../sides/bare.ts";
import { type BridgePlace, prepareBridge, type RunningBridge, startBridge } from "../sides/bridge.ts";
import { type BenchRegister, openRegister } from "../sides/register.ts";
import type { Started } from "../sides/started.ts";

/** Bridge and bare script side by side, each with as many terminals. */
export interface BenchWorld {
  readonly shop: BenchShop;
  readonly bridge: RunningBridge & { readonly place: BridgePlace };
  readonly bare: Started & { readonly url: string };
  readonly folder: string;
  /** Registers by the side's name. */
  register(side: "bridge" | "bare"): Promise<BenchRegister>;
  close(): Promise<void>;
}

export interface WorldOn {
  readonly folder: string;
  readonly terminals: number;
  readonly program: string | undefined;
}

export async function openWorld({ folder, terminals, program }: WorldOn): Promise<BenchWorld> {
  const sides = {
    bridge: { name: "bridge", entityId: "8a8294174b7ecb28014b9699220015ca", terminals },
    bare: { name: "bare", entityId: "8a8294174b7ecb28014b9699220015cb", terminals },
  } as const;
  const shop = await openBenchShop(folder, Object.values(sides));
  const devices = (side: Side): readonly string[] =>
    Array.from({ length: terminals }, (_, at) => deviceOf(shop, side, at + 1));
  const on = (side: Side) => ({ gateway: shop.url, entityId: side.entityId, devices: devices(side) });
  const place = prepareBridge(folder, { ...on(sides.bridge), dataDir: path.join(folder, "data") });
  const running = await startBridge(place, program);
  const bare = await startBare(folder, on(sides.bare));
  const bridge = { ...running, place };
  const register = (side: "bridge" | "bare"): Promise<BenchRegister> =>
    side === "bridge" ? openRegister(bridge.url, place.token) : openRegister(bare.url, "");
  const asking = await register("bridge");
  await terminalsReady(asking, terminals);
  asking.close();
  return {
    ...{ shop, bridge, bare, folder, register },
    close: async () => {
      await bridge.stop();
      await bare.stop();
      await shop.close();
    },
  };
}

/** Waits until so many terminals are ready. */
export async function terminalsReady(register: BenchRegister, count: number): Promise<void> {
  for (;;) {
    const ready = JSON.stringify(await register.call("terminals.list", {})).match(/"state":"ready"/g)?.length ?? 0;
    if (ready >= count) return;
    await new Promise((later) => setTimeout(later, 25));
  }
}
