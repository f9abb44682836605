import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/*
 * npm run new-driver NAME: the skeleton of a driver, its simulator and its tests, entered in the rosters. It passes
 * what the contract asks of every driver, and fails
 * the stories of test/drivers until they are built. The guide is docs/adding-a-terminal.md.
 */

const HELP = `npm run new-driver NAME
npm run new-driver -- NAME --title "Maker Model"

  Makes drivers/NAME with a protocol that is no device's yet, its simulator and tests, and enters it in the rosters.
  NAME is the maker and the model in lower case, as it will stand in configurations; the title is how people read it.

  Example: npm run new-driver acme-t100
`;

const TEMPLATE = "scaffolding/new-model";

interface Names {
  /** acme-t100 */
  readonly id: string;
  /** acmeT100 */
  readonly constant: string;
  /** Acme T100 */
  readonly title: string;
  /** ACME_T100, as an acquirer may call it */
  readonly deviceType: string;
}

function namesOf(id: string, given: string | undefined): Names {
  const words = id.split("-");
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const [first = "", ...rest] = words;
  return {
    id,
    constant: first + rest.map(capital).join(""),
    title: given ?? words.map(capital).join(" "),
    deviceType: id.toUpperCase().replaceAll("-", "_"),
  };
}

function named(text: string, { id, constant, title, deviceType }: Names): string {
  return text
    .replaceAll("NEW_MODEL", deviceType)
    .replaceAll("new-model", id)
    .replaceAll("newModel", constant)
    .replaceAll("New Model", title);
}

const facts = ({
  id,
  constant,
}: Names): string => `import { familyCapabilities } from "../../../drivers/${id}/members.ts";
import type { ModelFacts } from "./facts.ts";

export const ${constant}Facts: ModelFacts = {
  driver: "${id}",
  simulator: "${id}",
  can: familyCapabilities,
  clock: "own",
  keys: "unknown",
  masked: "bin-and-last4",
  refund: "declined-offline",
  frames: 24,
  cardWaitMs: 6,
  prompts: (usual) => usual,
  asksBy: "the command that asks for a card, as wire.ts names it",
  without: {},
  flips: [],
};
`;

/**
 * The list with one more entry, and its import before the first line that is none. Throws where the roster does not
 * look as it should.
 */
function entered(roster: string, line: string, list: RegExp, entry: string): string {
  const imports = roster.split("\n");
  const last = imports.findLastIndex((one) => one.startsWith("import "));
  const withImport = [...imports.slice(0, last + 1), line, ...imports.slice(last + 1)].join("\n");
  if (!list.test(withImport)) throw new Error(`the roster has no list like ${list.source}`);
  return withImport.replace(
    list,
    (_found, begin: string, rest: string, end: string) => `${begin}${rest.replace(/,?\s*$/, "")}, ${entry}${end}`,
  );
}

const LIST = (name: string): RegExp => new RegExp(`(export const ${name}: [^=]+= \\[)([^\\]]*)(\\];)`);

const TITLE = /^[A-Za-z0-9][A-Za-z0-9 .,()+-]*$/;

function main(id: string | undefined, option: string | undefined, title: string | undefined): number {
  if (id === undefined || id === "--help" || id === "-h") {
    process.stdout.write(HELP);
    return id === undefined ? 2 : 0;
  }
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(id)) {
    process.stderr.write(
      `new-driver: ${JSON.stringify(id)} is no name: maker and model in lower case, with dashes between, for example acme-t100\n`,
    );
    return 2;
  }
  if (option !== undefined && (option !== "--title" || !TITLE.test(title ?? ""))) {
    process.stderr.write(
      `new-driver: behind the name stands nothing, or --title "Maker Model": letters, digits, spaces and .,()+-\n`,
    );
    return 2;
  }
  if (existsSync(join("drivers", id))) {
    process.stderr.write(`new-driver: drivers/${id} is there already\n`);
    return 1;
  }
  const names = namesOf(id, title);
  const { constant } = names;
  const written: string[] = [];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    written.push(path);
  };
  for (const file of readdirSync(TEMPLATE).sort()) {
    const text = named(readFileSync(join(TEMPLATE, file), "utf8"), names);
    if (file.endsWith(".test.ts"))
      write(join("test/unit/drivers", id, file), text.replaceAll('from "./', `from "../../../../drivers/${id}/`));
    else write(join("drivers", id, file), text);
  }
  write(join("test/drivers/models", `${id}.ts`), facts(names));
  const rosters = [
    ["drivers/index.ts", `import { ${constant} } from "./${id}/driver.ts";`, "driverModels", constant],
    [
      "drivers/simulators.ts",
      `import { ${constant}Simulator } from "./${id}/simulator.ts";`,
      "simulators",
      `${constant}Simulator`,
    ],
    ["test/drivers/models.ts", `import { ${constant}Facts } from "./models/${id}.ts";`, "FACTS", `${constant}Facts`],
  ] as const;
  for (const [path, line, list, entry] of rosters)
    write(path, entered(readFileSync(path, "utf8"), line, LIST(list), entry));
  process.stdout.write(
    `${written.map((path) => `  ${path}`).join("\n")}\n\nNext: npm run format, then vitest run test/drivers shows what is to be built; docs/adding-a-terminal.md is the way, and its chapter 7 says where else a model stands.\n`,
  );
  return 0;
}

process.exitCode = main(process.argv[2], process.argv[3], process.argv[4]);
