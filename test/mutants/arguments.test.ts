import { describe, expect, test } from "vitest";
import { argumentsOf, HELP } from "./arguments.ts";
import { MUTANTS } from "./table.ts";

const names = MUTANTS.map(({ name }) => name);

describe("the arguments of the mutants", () => {
  test("--help lists the name of each", () => {
    expect(argumentsOf(["--help"])).toEqual({ is: "help" });
    for (const name of names) expect(HELP).toContain(name);
  });

  test("a text that no name holds is answered with all names", () => {
    const wrong = argumentsOf(["--only", "no such mistake"]);
    if (wrong.is !== "wrong") throw new Error("was taken");
    expect(wrong.problem).toContain('no mutant\'s name holds "no such mistake"');
    for (const name of names) expect(wrong.problem).toContain(name);
  });

  test("chaos is run for those that kills and cut connections show", () => {
    const asked = argumentsOf(["--with", "chaos"]);
    if (asked.is !== "run") throw new Error("was not taken");
    expect(asked.mutants).toEqual(MUTANTS.filter(({ isForChaos }) => isForChaos === true));
    expect(asked.mutants).not.toEqual([]);
  });

  test("a name is taken, with the machines that are named", () => {
    const [name = ""] = names;
    expect(argumentsOf(["--only", name, "--with", "world"])).toMatchObject({
      is: "run",
      machines: ["world"],
      mutants: [{ name }],
      json: false,
    });
    expect(argumentsOf([])).toMatchObject({ is: "run", mutants: MUTANTS });
  });

  test.each([[["--with", "worlds"]], [["--lonly", "x"]]])("%j is wrong usage", (argv) => {
    expect(argumentsOf(argv)).toMatchObject({ is: "wrong" });
  });
});
