import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type CounterWalk, walkCounter } from "./counter.ts";
import { exploreAll } from "./crew.ts";
import { isKind, KINDS, type Kind } from "./kinds.ts";
import { tell } from "./story.ts";
import type { Limits, Walked } from "./walk.ts";

const USAGE = `npm run explore -- [--kind KIND] [--depth STEPS] [--misfortunes M] [--seconds S] [--json]
npm run explore -- --kind KIND --path 0.3.1   tells one path, and how it mends

Walks breadth first over every interleaving of inputs, losses and crashes for one payment of each kind.
  --depth        steps from the start, 60 by default
  --misfortunes  faults, lost replies, kills and cancellations on one path, 2 by default
  --seconds      stops after so long and says which depth was complete
  --kind         one of ${KINDS.join(", ")}
`;

const { values } = parseArgs({
  options: {
    kind: { type: "string" },
    depth: { type: "string", default: "60" },
    misfortunes: { type: "string", default: "2" },
    seconds: { type: "string", default: "86400" },
    path: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const STATES_AT_MOST = 4_000_000;

process.exit(await run());

async function run(): Promise<number> {
  if (values.help) return say(USAGE, 0);
  const { kind } = values;
  if (kind !== undefined && !isKind(kind)) return wrong(`--kind ${kind}: it is one of ${KINDS.join(", ")}`);
  if (values.path !== undefined) return kind === undefined ? wrong("--path needs --kind") : replay(kind, values.path);
  const [depth, misfortunes, seconds] = [whole(values.depth), whole(values.misfortunes), whole(values.seconds)];
  if (depth === undefined || misfortunes === undefined || seconds === undefined)
    return wrong("--depth, --misfortunes and --seconds take whole numbers");
  const limits: Limits = { depth, misfortunes, states: STATES_AT_MOST };
  const began = performance.now();
  const counter = kind === undefined ? walkCounter() : undefined;
  const walks = await exploreAll(kind === undefined ? KINDS : [kind], limits, seconds, availableParallelism());
  return report(walks, counter, misfortunes, (performance.now() - began) / 1000);
}

function report(
  walks: readonly Walked[],
  counter: CounterWalk | undefined,
  misfortunes: number,
  seconds: number,
): number {
  const violations = walks.flatMap((walked) =>
    walked.violations.map((violation) => ({ ...violation, kind: walked.kind })),
  );
  const found = violations.length + (counter?.violations.length ?? 0);
  if (values.json) return say(`${JSON.stringify({ misfortunes, seconds, walks, counter })}\n`, found === 0 ? 0 : 1);
  const states = walks.reduce((sum, walked) => sum + walked.states, 0);
  const transitions = walks.reduce((sum, walked) => sum + walked.transitions, 0);
  const lines = [
    ...walks.map(lineOf),
    ...(counter === undefined ? [] : counterLines(counter)),
    ...violations.flatMap(({ kind, truth, path }) => [
      `VIOLATION ${kind}: ${truth}`,
      ...(path.length === 0 ? [] : tell(kind, path, /once everything works|come to rest/.test(truth))),
      `    again with: npm run explore -- --kind ${kind} --path ${path.join(".")}`,
    ]),
    `${states} states, ${transitions} transitions, up to ${misfortunes} misfortunes a path, ${seconds.toFixed(1)} s, ${Math.round(transitions / seconds)} transitions/s`,
    `${found} violations`,
  ];
  return say(`${lines.join("\n")}\n`, found === 0 ? 0 : 1);
}

function counterLines({ states, transitions, violations }: CounterWalk): readonly string[] {
  return [
    `side by side: ${states} states, ${transitions} transitions, ${violations.length} violations`,
    ...violations.flatMap(({ truth, story }) => [
      `VIOLATION side by side: ${truth}`,
      ...story.map((line) => `    ${line}`),
    ]),
  ];
}

function lineOf({ kind, states, transitions, depth, isExhausted, seconds, violations }: Walked): string {
  const reached = isExhausted ? `all of it, ${depth} steps deep` : `depth ${depth} complete`;
  return `${kind}: ${states} states, ${transitions} transitions, ${reached}, ${seconds.toFixed(1)} s, ${violations.length} violations`;
}

function replay(kind: Kind, path: string): number {
  const steps = path.split(".").map(whole);
  if (!steps.every((step) => step !== undefined))
    return wrong("--path is numbers with dots between, as a violation prints it");
  return say(`${tell(kind, steps, true).join("\n")}\n`, 0);
}

function whole(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

function wrong(problem: string): number {
  process.stderr.write(`explore: ${problem}\n${USAGE}`);
  return 2;
}
