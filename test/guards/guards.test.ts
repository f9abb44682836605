import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readTree } from "../tidy/tree.ts";
import { ACCEPTED, staleAmong } from "./accepted.ts";
import { argumentsOf } from "./arguments.ts";
import { type Guard, guardsOf, withoutGuard, withSwitches } from "./guard.ts";
import { hashOf, Results, stillNoticed } from "./results.ts";
import { Endless, Switches } from "./switches.ts";
import { tiersFor } from "./tests.ts";

const text = `export function a(b: number, queue: number[]): number {
  if (b === 0) return 1;
  if (b === 1) {
    return 2;
  } else if (b === 2) return 3;
  for (const c of [b]) if (c > 3) continue;
  if (
    b < 0 && b > -9
  ) {
    queue.push(1);
    throw new RangeError("negative");
  }
  if (queue.pop() === 7) return 7;
  if (b === 8) queue.push(8);
  return b;
}
`;
const guards = guardsOf("src/payment/a.ts", text);

function guardAt(line: number): Guard {
  const guard = guards.find((one) => one.line === line);
  if (guard === undefined) throw new Error(`no guard in line ${line}`);
  return guard;
}

describe("a guard", () => {
  it("is an if without else that leaves the function or the turn", () => {
    expect(guards.map(({ line }) => line)).toEqual([2, 6, 7, 13]);
    expect(guardAt(7).text).toBe('if ( b < 0 && b > -9 ) { queue.push(1); throw new RangeError("negative"); }');
  });

  it("whose condition changes something matters even where it does not hold", () => {
    expect(guards.filter(({ isPure }) => !isPure).map(({ line }) => line)).toEqual([13]);
  });

  it("is taken out alone, and other lines keep their numbers", () => {
    expect(withoutGuard(guardAt(2), text)).toBe(text.replace("if (b === 0) return 1;", ""));
    expect(withoutGuard(guardAt(7), text).split("\n")).toHaveLength(text.split("\n").length);
  });

  it("gets a switch, and the file stays the same otherwise", () => {
    const switched = withSwitches(
      [
        { ...guardAt(2), id: 4 },
        { ...guardAt(13), id: 5 },
      ],
      text,
    );
    expect(switched).toContain("  if (__guards.isOn(4) && __guards.said(4, (b === 0))) return 1;\n");
    expect(switched).toContain(
      "  if (__guards.isOnAndMatters(5) && __guards.said(5, (queue.pop() === 7))) return 7;\n",
    );
    expect(guardsOf("src/payment/a.ts", switched).map(({ line }) => line)).toEqual([2, 6, 7, 13]);
  });

  it("that is accepted still stands in its file", () => {
    const all = readTree("src/payment", "drivers").flatMap(({ path, text: code }) => guardsOf(path, code));
    expect(staleAmong(ACCEPTED, all)).toEqual([]);
    expect(staleAmong([{ file: "src/payment/a.ts", text: "if (gone) return;", why: "" }], guards)).toHaveLength(1);
  });
});

describe("a switch", () => {
  it("lets its guard decide, and tells that it did", () => {
    const switches = new Switches();
    switches.begin();
    expect([switches.isOn(1) && switches.said(1, false), switches.isOn(2) && switches.said(2, true)]).toEqual([
      false,
      true,
    ]);
    expect([...switches.mattered()]).toEqual([2]);
    expect([...switches.mattered()]).toEqual([]);
  });

  it("that is off skips its guard", () => {
    const switches = new Switches();
    switches.begin({ off: 2 });
    expect([switches.isOn(1), switches.isOn(2)]).toEqual([true, false]);
  });

  it("ends a loop that lost its guard", () => {
    const switches = new Switches();
    switches.begin({ off: 1, limit: 100 });
    expect(() => {
      while (!switches.isOn(1)) switches.isOn(2);
    }).toThrow(Endless);
  });
});

describe("the results", () => {
  const [guard] = guards;
  const found = { file: "src/payment/a.ts", line: 2, text: guard?.text ?? "", is: "noticed", by: "a test" } as const;

  it("of a run that was killed are read again up to the line that it was writing", () => {
    const folder = mkdtempSync(join(tmpdir(), "posbridge-guards-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "deep/guards.jsonl");
    const results = new Results(path);
    expect(results.earlier()).toEqual([]);
    results.begin([]);
    results.add({ ...found, sha256: hashOf(text) });
    writeFileSync(path, `${readFileSync(path, "utf8")}{"file":"src/pay`);
    expect(results.earlier()).toEqual([{ ...found, sha256: hashOf(text) }]);
  });

  it("count for a file that has not changed, and for what was noticed", () => {
    const earlier = [{ ...found, sha256: hashOf(text) }];
    expect(stillNoticed(earlier, guardAt(2), hashOf(text))).toBeDefined();
    expect(stillNoticed(earlier, guardAt(2), hashOf(`${text} `))).toBeUndefined();
    expect(
      stillNoticed([{ ...found, sha256: hashOf(text), is: "unnoticed" }], guardAt(2), hashOf(text)),
    ).toBeUndefined();
  });
});

it("a model's guards are tried by its own tests first, and payment's by the payment machine's", () => {
  const [first = [], second = []] = tiersFor(["drivers/pax-d180/frame.ts"]);
  expect(first.length).toBeGreaterThan(0);
  expect(first.filter((file) => !file.startsWith("test/unit/drivers/pax-d180/"))).toEqual([]);
  expect(second).toContain("test/drivers/disturbed.test.ts");
  expect(tiersFor(["src/payment/machine/decide.ts"])[0]).toContain("test/unit/payment/sale-stories.test.ts");
});

describe("the arguments", () => {
  it("are payment and drivers unless said otherwise", () => {
    const all = { is: "run", only: ["src/payment", "drivers"], quick: false, resume: false, json: false };
    expect(argumentsOf([])).toEqual(all);
    expect(argumentsOf(["--only", "drivers/pax-d180/", "--resume", "--quick"])).toEqual({
      ...all,
      only: ["drivers/pax-d180"],
      resume: true,
      quick: true,
    });
    expect(argumentsOf(["--help"])).toEqual({ is: "help" });
  });

  it("that are unknown are refused", () => {
    expect(argumentsOf(["--nothing"])).toMatchObject({
      is: "wrong",
      problem: expect.stringContaining("Unknown option"),
    });
  });
});
