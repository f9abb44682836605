import { z } from "zod";

const screenSchema = z.object({
  lines: z.array(z.string()),
  slot: z.object({ card: z.string().nullable() }),
  waitsFor: z.string().nullable(),
  plugged: z.boolean(),
});
type Screen = z.output<typeof screenSchema>;

/** What a person, or misfortune, does to a simulated terminal, over its control port. */
export interface TestTerminal {
  readonly id: string;
  /** Its serial device. */
  readonly path: string;
  insert(card: string): Promise<void>;
  pull(): Promise<void>;
  press(keys: string): Promise<void>;
  fault(name: "unplug" | "plug" | "hang" | "reboot" | "slow", after?: number): Promise<void>;
  screen(): Promise<Screen>;
}

export function openTerminal(id: string, path: string, control: string): TestTerminal {
  const ask = async (method: string, call: string, body?: object): Promise<Screen> => {
    const sent = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${control}${call}`, { method, ...sent });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${call}: ${JSON.stringify(answer)}`);
    return screenSchema.parse(answer);
  };
  return {
    id,
    path,
    insert: async (name) => void (await ask("POST", "card", { name })),
    pull: async () => void (await ask("DELETE", "card")),
    press: async (keys) => void (await ask("POST", "keys", { keys })),
    fault: async (name, after = 0) => void (await ask("POST", "faults", { do: name, after })),
    screen: () => ask("GET", "screen"),
  };
}
