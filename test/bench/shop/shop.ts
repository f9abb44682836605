import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { z } from "zod";
import type { Mark } from "./marks.ts";

/** A side of the comparison, with terminals of its own. */
export interface Side {
  readonly name: string;
  readonly entityId: string;
  readonly terminals: number;
}

export interface BenchShop {
  readonly url: string;
  readonly folder: string;
  /** The marks since the last call. */
  marks(): Promise<readonly Mark[]>;
  close(): Promise<void>;
}

const startedSchema = z.object({ url: z.string() });
const marksSchema = z.object({
  marks: z.array(
    z.object({
      what: z.enum(["card-read", "posted", "replied", "card-told", "card-agreed", "captured"]),
      side: z.string(),
      at: z.number(),
    }),
  ),
});

export async function openBenchShop(folder: string, sides: readonly Side[]): Promise<BenchShop> {
  const child = fork(path.join(import.meta.dirname, "process.ts"), [JSON.stringify({ folder, sides })]);
  const gone = once(child, "exit");
  const message = async (): Promise<unknown> => {
    const [said]: readonly unknown[] = await Promise.race([
      once(child, "message"),
      gone.then(() => Promise.reject(new Error("the bench's shop ended"))),
    ]);
    return said;
  };
  const { url } = startedSchema.parse(await message());
  return {
    url,
    folder,
    marks: async () => {
      const answer = message();
      child.send("marks");
      return marksSchema.parse(await answer).marks;
    },
    close: async () => {
      child.disconnect();
      await gone;
    },
  };
}

/** Where the terminal of that side and number is plugged in. */
export const deviceOf = (shop: Pick<BenchShop, "folder">, side: Pick<Side, "name">, number: number): string =>
  path.join(shop.folder, `${side.name}-${number}.tty`);
