import { describe, expect, test } from "vitest";
import type { Parameter } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { knownNames, parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { specification } from "../../../../src/gateway/parameters/specification.ts";
import { type Line, requested, sendable, table } from "./table.ts";

/** A chapter and a name, since date.from stands in two chapters with two formats. */
const keyOf = (chapter: string, name: string): string => `${chapter}: ${name}`;

const schemas: ReadonlyMap<string, Parameter> = new Map(
  specification.flatMap(({ title, parameters }) =>
    parameters.map((parameter) => [keyOf(title, parameter.name), parameter] as const),
  ),
);

function notationOf({ format, key }: Parameter): string {
  return key === undefined ? format.notation : `${format.notation}, key ${key.notation}`;
}

const alone = ({ chapter, name }: Line, value: string): readonly string[] => {
  const parameter = schemas.get(keyOf(chapter, name));
  const chapters = [{ title: chapter, parameters: parameter === undefined ? [] : [parameter], rules: [], notes: [] }];
  return parameterProblems(new Map([[sendable(name), value]]), chapters).map((problem) => problem.name);
};

describe("the table of all parameters (test/vectors/parameters.tsv) and the schemas", () => {
  test("the table names every chapter of the specification in its order, and the schemas have no other", () => {
    expect([...new Set(requested.map(({ chapter }) => chapter))]).toEqual(specification.map(({ title }) => title));
  });

  test("every parameter of the table has a schema", () => {
    expect(requested.filter(({ chapter, name }) => !schemas.has(keyOf(chapter, name))).map(({ name }) => name)).toEqual(
      [],
    );
  });

  test("every schema has a line in the table, and one alone", () => {
    const keys = requested.map(({ chapter, name }) => keyOf(chapter, name));
    expect([...schemas.keys()].filter((key) => !keys.includes(key))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("no format differs", () => {
    const ours = requested.map(({ chapter, name }) => {
      const parameter = schemas.get(keyOf(chapter, name));
      return `${name} ${parameter === undefined ? "" : notationOf(parameter)}`;
    });
    expect(ours).toEqual(requested.map(({ name, format }) => `${name} ${format}`));
  });

  test("no need differs", () => {
    const ours = requested.map(({ chapter, name }) => `${name} ${schemas.get(keyOf(chapter, name))?.need}`);
    expect(ours).toEqual(requested.map(({ name, need }) => `${name} ${need}`));
  });

  test("every line has examples, and a bad one unless anything is good", () => {
    const free = ["AN"];
    expect(
      requested.filter(
        ({ valid, invalid, format }) => valid.length === 0 || (invalid.length === 0 && !free.includes(format)),
      ),
    ).toEqual([]);
  });

  test("what the table calls valid is taken", () => {
    const refused = requested.flatMap((line) =>
      line.valid.filter((value) => alone(line, value).length > 0).map((value) => `${line.name}=${value}`),
    );
    expect(refused).toEqual([]);
  });

  test("what the table calls invalid is refused by the parameter's own name", () => {
    const taken = requested.flatMap((line) =>
      line.invalid
        .filter((value) => alone(line, value).join() !== sendable(line.name))
        .map((value) => `${line.name}=${value}`),
    );
    expect(taken).toEqual([]);
  });

  test("what only an answer has can be sent nowhere", () => {
    const answered = table.filter(({ need }) => need === "response").map(({ name }) => name);
    expect(answered).toHaveLength(10);
    const sent = Object.values(chaptersOf).flatMap((chapters) => knownNames(chapters));
    expect(answered.filter((name) => sent.includes(name))).toEqual([]);
  });

  test("every parameter can be sent somewhere", () => {
    const sent = new Set(Object.values(chaptersOf).flatMap((chapters) => knownNames(chapters)));
    expect(requested.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual([]);
  });
});
