import { openSandboxStore } from "../../packages/sandbox/gateway/ledger/store.ts";
import type { SandboxRules } from "../../packages/sandbox/gateway/rules.ts";
import { createSandbox, type Sandbox } from "../../packages/sandbox/gateway/sandbox.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import { entityOf, GATEWAY_TOKEN, sandboxCalls, type TestSandbox } from "../scenarios/sandbox.ts";
import type { Network } from "./network.ts";
import type { StoryTime } from "./time.ts";

export interface StorySandboxOn {
  readonly time: StoryTime;
  readonly network: Network;
  readonly port: number;
  /** How many channels. */
  readonly entities: number;
  readonly rules?: Partial<SandboxRules>;
}

/** The gateway of the specification at an address of the story's network; its ledger outlives a kill. */
export function openStorySandbox({ time, network, port, entities, rules = {} }: StorySandboxOn): TestSandbox {
  const store = openSandboxStore(":memory:");
  const channels = Array.from({ length: entities }, (_, at) => ({ entityId: entityOf(at + 1), token: GATEWAY_TOKEN }));
  const url = `http://127.0.0.1:${port}/`;
  let lives = 0;
  let life: { readonly sandbox: Sandbox; readonly end: () => void } | undefined;
  const start = async (): Promise<void> => {
    lives += 1;
    const asked = new Set<() => void>();
    const sandbox = createSandbox({
      clock: time.clock,
      random: seededRandom(port + lives),
      store,
      rules,
      entities: channels,
      throttling: false,
    });
    const end = (): void => {
      for (const cut of [...asked]) cut();
    };
    life = { sandbox, end };
    const whenGone = (run: () => void): (() => void) => {
      asked.add(run);
      return () => void asked.delete(run);
    };
    network.listen(port, { handle: sandbox.handle, whenGone });
  };
  const kill = async (): Promise<void> => {
    network.leave(port);
    life?.sandbox.stop();
    life?.end();
    life = undefined;
  };
  const ask = async (call: string, method: "GET" | "POST" = "GET", body?: object): Promise<unknown> => {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const reply = await network.request(method, `${url}sandbox/v1/${call}`, sent);
    if (reply.status >= 300) throw new Error(`${method} ${call}: ${reply.body}`);
    return JSON.parse(reply.body);
  };
  void start();
  return { url, kill, start, ...sandboxCalls(ask, time) };
}
