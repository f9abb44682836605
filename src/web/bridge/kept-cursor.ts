import { z } from "zod";
import type { KeptCursor } from "../../client/keep-bridge.ts";
import { positionOf } from "../../kit/cursor.ts";
import type { Kept } from "./browser-storage.ts";

const keptSchema = z.object({ bridge: z.string(), cursor: z.string() });

export function keepCursor(kept: Kept): KeptCursor {
  const read = (): z.infer<typeof keptSchema> | undefined => {
    try {
      return keptSchema.parse(JSON.parse(kept.get() ?? ""));
    } catch {
      return undefined;
    }
  };
  const of = (bridge: string): string | undefined => {
    const last = read();
    return last?.bridge === bridge ? last.cursor : undefined;
  };
  const told = (bridge: string, cursor: string): void => {
    const before = of(bridge);
    if (before === undefined || positionOf(cursor) > positionOf(before)) kept.set(JSON.stringify({ bridge, cursor }));
  };
  return { of, told };
}
