import { globSync } from "node:fs";

/** Tests that run in this process, the cheapest first: later ones try what the earlier ones did not notice. */
const OF_PAYMENT = [
  ["test/unit/payment/**"],
  ["test/unit/{engine,timeline,receipt,reconcile,webhook,register}/**"],
  ["test/stories/**", "test/contract/**"],
];
/** The sandbox's own tests, then whole shops that pay at it. */
const OF_SANDBOX = [["test/unit/sandbox/**"], ["test/unit/{gateway,webhook,reconcile}/**"], ["test/stories/**"]];
const ofModel = (model: string): typeof OF_PAYMENT => [
  [model === "vipa" ? "test/unit/drivers/{miura-m020,verifone-p400}/**" : `test/unit/drivers/${model}/**`],
  ["test/unit/drivers", "test/drivers/**"],
  ["test/unit/{terminal,engine,simulator,demo}/**", "test/stories/**"],
];

function areaOf(file: string): string {
  if (file.startsWith("packages/sandbox/")) return "sandbox";
  return /^drivers\/([^/]+)\//.exec(file)?.[1] ?? "payment";
}

/** The files of tests for these places, tier by tier. */
export function tiersFor(files: Iterable<string>): readonly (readonly string[])[] {
  const tiers = [...new Set([...files].map(areaOf))].map((area) => {
    if (area === "payment") return OF_PAYMENT;
    return area === "sandbox" ? OF_SANDBOX : ofModel(area);
  });
  const seen = new Set<string>();
  return [0, 1, 2].map((at) =>
    tiers
      .flatMap((tier) => tier[at] ?? [])
      .flatMap((pattern) => globSync(`${pattern}/*.test.ts`).toSorted())
      .filter((file) => !seen.has(file) && seen.add(file)),
  );
}
