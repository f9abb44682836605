import path from "node:path";
import { z } from "zod";
import { serveQuickGateway } from "./gateway.ts";
import { openHurriedTerminal } from "./hurried-terminal.ts";
import type { Mark } from "./marks.ts";

// The world around bridge and bare script: their terminals and their gateway, in a process of their own.

const orderSchema = z.object({
  folder: z.string(),
  sides: z.array(z.object({ name: z.string(), entityId: z.string(), terminals: z.int() })),
});
const { folder, sides } = orderSchema.parse(JSON.parse(process.argv[2] ?? ""));
let marks: Mark[] = [];
const nameOf = (entityId: string): string => sides.find((side) => side.entityId === entityId)?.name ?? "";

const url = await serveQuickGateway((what, entityId, at) => void marks.push({ what, side: nameOf(entityId), at }));
let number = 0;
for (const { name, terminals } of sides)
  for (let at = 1; at <= terminals; at += 1) {
    number += 1;
    openHurriedTerminal(number, path.join(folder, `${name}-${at}.tty`), (what, when) => {
      marks.push({ what, side: name, at: when });
    });
  }
process.on("message", () => {
  process.send?.({ marks });
  marks = [];
});
process.on("disconnect", () => process.exit(0));
process.send?.({ url });
