import { globSync } from "node:fs";

/** Tests that run in this process, the cheapest first: later ones try what the earlier ones did not notice. */
const OF_PAYMENT = [
  ["test/unit/payment/**"],
  ["test/unit/{engine,timeline,receipt,reconcile,webhook,register}/**"],
  ["test/stories/**", "test/contract/**"],
];
const ofModel = (model: string): typeof OF_PAYMENT => [
  [model === "vipa" ? "test/unit/drivers/{miura-m020,verifone-p400}/**" : `test/unit/drivers/${model}/**`],
  ["test/drivers/**"],
  ["test/unit/{terminal,engine,simulator,demo}/**", "test/stories/**"],
];

/** The files of tests for these places, tier by tier. */
export function tiersFor(files: Iterable<string>): readonly (readonly string[])[] {
  const areas = new Set([...files].map((file) => /^drivers\/([^/]+)\//.exec(file)?.[1] ?? "payment"));
  const tiers = [...areas].map((area) => (area === "payment" ? OF_PAYMENT : ofModel(area)));
  const seen = new Set<string>();
  return [0, 1, 2].map((at) =>
    tiers
      .flatMap((tier) => tier[at] ?? [])
      .flatMap((pattern) => globSync(`${pattern}/*.test.ts`).toSorted())
      .filter((file) => !seen.has(file) && seen.add(file)),
  );
}
