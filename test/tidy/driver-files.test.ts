import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Which files a driver may have: the tables of drivers/README.md. */
const page = readFileSync("drivers/README.md", "utf8");

/** The cells in code of each row of a chapter's table. */
function rowsOf(chapter: string): readonly (readonly string[])[] {
  const [, text = ""] = page.split(`\n## ${chapter}\n`);
  const [table = ""] = text.split("\n## ");
  return table.split("\n").flatMap((line) => {
    const cells = [...line.matchAll(/\| `([^`]+)` (?=\|)/g)].flatMap(([, cell]) => cell ?? []);
    return cells.length === 0 ? [] : [cells];
  });
}

const required = rowsOf("Every driver has").flat();
const optional = rowsOf("Where the device").flat();
const alone = rowsOf("One driver alone").map(([driver, file]) => `${driver}/${file}`);

const SHARED = "vipa";
const folders = readdirSync("drivers", { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const files = folders.flatMap((folder) =>
  readdirSync(`drivers/${folder}`).map((name) => ({ folder, name, path: `${folder}/${name}` })),
);
const models = folders.filter((folder) => folder !== SHARED);

describe("the folder of a driver", () => {
  it.each(models)("%s has every file that each driver has", (model) => {
    const names = files.filter(({ folder }) => folder === model).map(({ name }) => name);
    expect(required.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(folders)("%s has no file whose name is not on the page", (folder) => {
    const others = files.filter(
      (file) => file.folder === folder && ![...required, ...optional].includes(file.name) && !alone.includes(file.path),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});

describe("the page of names", () => {
  it("lists nothing twice", () => {
    const all = [...required, ...optional, ...alone.map((path) => path.replace(/^.*\//, ""))];
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });

  it("lists as optional what two drivers or more have, and as one driver's what that one has", () => {
    const shared = optional.filter(
      (name) => files.filter((file) => file.name === name && file.folder !== SHARED).length < 2,
    );
    const paths = files.map(({ path }) => path);
    expect([...shared, ...alone.filter((path) => !paths.includes(path))]).toEqual([]);
  });
});
