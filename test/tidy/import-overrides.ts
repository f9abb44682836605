import { posix } from "node:path";
import { ARROWS, longestFirst, roomOf, rowOf } from "./arrows.ts";
import type { SourceFile } from "./tree.ts";

/** One override of biome.json: which files, and what they may not import. */
interface ImportOverride {
  readonly includes: readonly string[];
  readonly linter: {
    readonly rules: {
      readonly style: {
        readonly noRestrictedImports: {
          readonly level: "error";
          readonly options: { readonly patterns: readonly Ban[] };
        };
      };
    };
  };
}

interface Ban {
  readonly group: readonly string[];
  readonly message: string;
}

/**
 * Packages that touch the world: src/agent and src/commands, which may import whatever else they need, leave them to
 * their one place.
 */
const WORLD = [
  "fastify",
  "ws",
  "undici",
  "serialport",
  "pino",
  "pino-pretty",
  "prom-client",
  "yaml",
  "usb",
  "node:sqlite",
];
const ONE_PLACE: Ban = {
  group: WORLD,
  message: "A package that touches the world is imported in one file: test/tidy/arrows.ts names it.",
};
const DEMO_ALONE: Ban = {
  group: [
    ...["demo", "packages/sandbox", "simulator", "drivers"].map((folder) => `**/${folder}/**`),
    "**/main.demo.ts",
    "**/{demo,sandbox,simulate}.ts",
  ],
  message: "A shop holds no sandbox, simulator or testbed, and the roster of drivers comes in as an argument.",
};
const COMMAND_LINE: Ban = { group: ["commander"], message: "The command line is src/commands." };

const BANS: readonly ImportOverride[] = [
  override(["src/commands/*.ts"], [DEMO_ALONE, ONE_PLACE]),
  override(["src/agent/*.ts"], [DEMO_ALONE, ONE_PLACE, COMMAND_LINE]),
  override(["src/commands/{demo,sandbox,simulate}*.ts", "src/demo/*.ts"], [ONE_PLACE]),
  override(
    ["src/main.ts"],
    [
      {
        group: ["**", "!./commands/entry.ts", "!./commands/shop.ts", "!../drivers/index.ts"],
        message: "main.ts is the shop's roster and commands, nothing else.",
      },
    ],
  ),
];

/** Overrides of biome.json that say the arrows, the general ones first: of two that fit, the later counts. */
export function importOverrides(files: readonly SourceFile[]): readonly ImportOverride[] {
  const byRow = Map.groupBy(files, ({ path }) => rowOf(path));
  return [...[...longestFirst].reverse().flatMap((row) => overridesOf(row, byRow.get(row) ?? [], files)), ...BANS];
}

function overridesOf(row: string, of: readonly SourceFile[], files: readonly SourceFile[]): readonly ImportOverride[] {
  const levels = new Map(of.map(({ path }) => [levelOf(path), roomOf(path)] as const));
  const { may = [], types = [] } = ARROWS[row] ?? {};
  const allowed = [...may, ...types];
  const message = `${row} may import ${allowed.length === 0 ? "nothing of this project and no package" : allowed.join(", ")}: test/tidy/arrows.ts.`;
  return [...levels]
    .sort(([a], [b]) => a - b)
    .map(([level, root]) => {
      const includes = row.includes(".ts") ? row : `${row}/${"*/".repeat(level - levelOf(`${row}/file.ts`))}*.{ts,tsx}`;
      const group = ["**", ...ownFolder(root, level, files), ...allowed.map((target) => `!${globOf(target)}`)];
      return override([includes], [{ group, message }]);
    });
}

function override(includes: readonly string[], patterns: readonly Ban[]): ImportOverride {
  return { includes, linter: { rules: { style: { noRestrictedImports: { level: "error", options: { patterns } } } } } };
}

/** Folders between a file's room and the file. */
const levelOf = (path: string): number => path.split("/").length - roomOf(path).split("/").length - 1;

/** How a file writes the rest of its own folder. */
function ownFolder(root: string, level: number, files: readonly SourceFile[]): readonly string[] {
  if (level <= 0) return ["!./**"];
  const wings = new Set(
    files
      .map(({ path }) => posix.relative(root, path).split("/"))
      .flatMap(([first = "", second]) => (first === ".." || second === undefined ? [] : [first])),
  );
  const up = "../".repeat(level);
  return [
    "!./**",
    `!${up}*.{ts,tsx}`,
    `!${up}{${[...wings, ""]
      .sort()
      .filter((wing) => wing !== "")
      .join(",")}}/**`,
  ];
}

/** A target of the table as the linter sees it in an import: src/emv is ** /emv/**, node: is node:*. */
function globOf(target: string): string {
  if (target.endsWith(":")) return `${target}*`;
  const local = /^(?:src|drivers|packages\/[^/]+)\/(.+)$/.exec(target)?.[1];
  if (local === undefined) return target;
  return local.endsWith(".ts") ? `**/${local}` : `**/${local}/**`;
}
