import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import linter from "../../biome.json" with { type: "json" };
import rootManifest from "../../package.json" with { type: "json" };
import sandboxManifest from "../../packages/sandbox/package.json" with { type: "json" };
import { FORBIDDEN_IN_A_SHOP } from "../../packaging/bundle.ts";
import { rowOf, upwards, wrongArrows, wrongPlaces } from "./arrows.ts";
import { bannedWords, emptyName, longFunctions, tooLong } from "./checks.ts";
import { commentsOf, longComments, PLAIN_ROOMS, vagueComments } from "./comments.ts";
import { refusedInPage, refusedWords, termsOf } from "./glossary.ts";
import { importOverrides } from "./import-overrides.ts";
import { circles, deadExports, reachable, wholeExportsOf } from "./reach.ts";
import { importsOf, readTree, type SourceFile } from "./tree.ts";

const product = readTree("src", "drivers", "packages/sandbox");
const everything = [...product, ...readTree("test", "packaging")];
/** Each is loaded by its page (src/web, index.html). */
const PAGES = ["front", "till", "console", "terminal"].map((page) => `src/web/${page}/main.tsx`);
/** What registers import from `posbridge-client`. */
const face = { path: "packages/client/index.ts", text: readFileSync("packages/client/index.ts", "utf8") };
const byPath = new Map(everything.map((file) => [file.path, file]));

describe("the tree", () => {
  it("is read at all", () => {
    expect(product.length).toBeGreaterThan(100);
    expect(byPath.has("src/main.ts")).toBe(true);
  });

  it("has no file that is too long", () => expect(everything.flatMap(tooLong)).toEqual([]));
  it("has no function that is longer than a screen", () => expect(product.flatMap(longFunctions)).toEqual([]));
  it("has no name that says nothing", () => expect(everything.flatMap(emptyName)).toEqual([]));
  it("has none of the banned words", () => expect(everything.flatMap(bannedWords)).toEqual([]));

  it("imports only files that exist", () => {
    // The checks' own tests hold bad examples.
    const files = everything.filter(({ path }) => !path.startsWith("test/tidy/"));
    const local = files.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => /^(src|drivers|packages|test|packaging)\//.test(from))
        .map(({ from }) => from),
    );
    expect(local.filter((path) => !byPath.has(path) && !existsSync(path))).toEqual([]);
  });

  it("has no circle of imports, not even of types", () => expect(circles(product)).toEqual([]));

  it("exports nothing that nobody imports", () => {
    const offered = wholeExportsOf(face);
    expect(offered.length).toBeGreaterThan(2);
    // The first is for registers, the others are called by vitest.
    const called = ["test/scenarios/built-program.ts", "test/browser/built-pages.ts", "test/guards/runner.ts"];
    const entries = ["src/client/client.ts", ...called];
    expect(deadExports([...everything, face], new Set([...entries, ...offered]))).toEqual([]);
  });

  it("has no source that no entry point and no test reaches", () => {
    const entries = [
      "src/main.ts",
      "src/main.demo.ts",
      "src/client/client.ts",
      // For browsers alone: packages/client/index.ts offers it.
      "src/client/pairing-browser.ts",
      ...PAGES,
      ...everything.map(({ path }) => path).filter((path) => !/^(src|drivers|packages)\//.test(path)),
    ];
    const live = reachable(entries, byPath);
    const named = new Set(everything.flatMap((file) => importsOf(file).map(({ from }) => from)));
    expect(product.map(({ path }) => path).filter((path) => !live.has(path) && !named.has(path))).toEqual([]);
  });
});

describe("the glossary", () => {
  const terms = termsOf(readFileSync("docs/glossary.md", "utf8"));
  const pages = globSync(["*.md", "docs/**/*.md", "src/**/*.md", "drivers/**/*.md", "packages/*/*.md"])
    .filter((path) => path !== "docs/glossary.md")
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));

  it("is read at all", () => {
    expect(terms.length).toBeGreaterThan(40);
    expect(terms.flatMap(({ refused }) => refused).length).toBeGreaterThan(30);
    expect(pages.length).toBeGreaterThan(50);
  });

  it("names what is in the code", () => {
    const words = new Set(product.flatMap(({ text }) => text.match(/[\w-]+/g) ?? []));
    expect(terms.filter(({ inCode }) => inCode.length === 0 || inCode.some((name) => !words.has(name)))).toEqual([]);
  });

  it("refuses words that no name and no comment has", () =>
    expect(product.flatMap((file) => refusedWords(file, terms))).toEqual([]));
  it("refuses words that no page has", () => expect(pages.flatMap((page) => refusedInPage(page, terms))).toEqual([]));
});

describe("the arrows", () => {
  it("stand for every folder of src and of packages, and for every driver", () => {
    const free = product.map(({ path }) => path).filter((path) => rowOf(path) === undefined);
    expect(
      free.filter((path) => !/^(src\/(main|main\.demo)\.ts|src\/(agent|commands|demo)\/[^/]+\.ts)$/.test(path)),
    ).toEqual([]);
  });

  it("stand in biome.json as they are in the table (npm run import-overrides writes them)", () => {
    const written = linter.overrides.filter(
      (each) => "linter" in each && "style" in each.linter.rules && "noRestrictedImports" in each.linter.rules.style,
    );
    expect(written).toEqual(importOverrides(product));
  });

  it("are followed", () => expect(product.flatMap((file) => wrongArrows(file, importsOf(file)))).toEqual([]));

  it("lead to six files of the payment machine, and to no other", () => {
    const outside = product
      .filter(({ path }) => !path.startsWith("src/payment/"))
      .flatMap((file) => importsOf(file).map(({ from }) => from));
    const imported = new Set(outside.filter((from) => from.startsWith("src/payment/")));
    expect([...imported].sort()).toEqual(
      ["exchange", "machine", "request", "state", "view", "view-schema"].map((face) => `src/payment/${face}.ts`).sort(),
    );
  });

  it("between the wings of the payment machine run down, but for four", () => {
    const payment = product.filter(({ path }) => /^src\/payment\/[^/]+\//.test(path));
    expect(payment.length).toBeGreaterThan(40);
    expect(payment.flatMap((file) => upwards(file, importsOf(file)))).toEqual([
      "src/payment/fact/request.ts imports src/payment/follow-up/follow-up.ts",
      "src/payment/follow-up/remaining.ts imports src/payment/outcome/view.ts",
      "src/payment/recovery/reversal.ts imports src/payment/state/payment.ts",
      "src/payment/recovery/surplus-reversal.ts imports src/payment/state/payment.ts",
    ]);
  });

  it("keep each package that touches the world in its one place", () => {
    expect(product.flatMap((file) => wrongPlaces(file, importsOf(file)))).toEqual([]);
  });

  it("lead from src to the drivers only where the program is put together", () => {
    const arrows = product
      .filter(({ path }) => path.startsWith("src/"))
      .filter((file) => importsOf(file).some(({ from }) => from.startsWith("drivers/")));
    expect(
      arrows
        .map(({ path }) => path)
        .filter((path) => !/^src\/(main|main\.demo|commands\/(demo|simulate)[^/]*|demo\/[^/]+)\.ts$/.test(path)),
    ).toEqual([]);
  });

  it("lead from a shop's program to nothing that plays a card, a terminal or the gateway", () => {
    const shop = reachable(["src/main.ts"], byPath);
    expect(shop.has("src/agent/agent.ts")).toBe(true);
    expect([...shop].filter((path) => FORBIDDEN_IN_A_SHOP.test(path))).toEqual([]);
    expect([...reachable(["src/main.demo.ts"], byPath)].some((path) => FORBIDDEN_IN_A_SHOP.test(path))).toBe(true);
  });
});

describe.each(PLAIN_ROOMS)("the comments of %s", (room) => {
  const files = product.filter(({ path }) => path.startsWith(`${room}/`));
  const comments = files.flatMap(commentsOf);

  it("are there", () => expect(comments.length).toBeGreaterThan(0));
  it("are short", () => expect(files.flatMap(longComments)).toEqual([]));
  it("name things: fewer than two in a hundred begin with What, Whoever, That", () => {
    const vague = files.flatMap(vagueComments);
    expect(vague.length <= comments.length * 0.02 ? [] : vague).toEqual([]);
  });
});

describe("the packages", () => {
  const reasons = readFileSync("docs/dependencies.md", "utf8");
  const versions = {
    ...rootManifest.dependencies,
    ...rootManifest.devDependencies,
    ...rootManifest.optionalDependencies,
  };
  const packages = Object.keys({ ...versions, ...sandboxManifest.dependencies });

  it.each(packages)("%s has its reason in docs/dependencies.md", (name) => {
    expect(reasons).toContain(`| \`${name}\` |`);
  });

  it("in docs/dependencies.md are all in package.json", () => {
    const named = [...reasons.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
    expect(named.filter((name) => name !== undefined && !packages.includes(name))).toEqual([]);
  });

  it("that run in the product are all imported by it", () => {
    const importedBy = (files: readonly SourceFile[]): ReadonlySet<string> =>
      new Set(files.flatMap((file) => importsOf(file).map(({ from }) => from.replace(/^([a-z-]+)\/.*/, "$1"))));
    const ofSandbox = product.filter(({ path }) => path.startsWith("packages/sandbox/"));
    const [inProduct, inSandbox] = [
      importedBy(product.filter((file) => !ofSandbox.includes(file))),
      importedBy(ofSandbox),
    ];
    expect(Object.keys(rootManifest.dependencies).filter((name) => !inProduct.has(name))).toEqual([]);
    expect(Object.keys(sandboxManifest.dependencies).filter((name) => !inSandbox.has(name))).toEqual([]);
  });

  it("are pinned to one version, and the lock file names no host", () => {
    expect(
      Object.values({ ...versions, ...sandboxManifest.dependencies }).filter(
        (version) => !/^[0-9]+\.[0-9]+\.[0-9]+(-[a-z]+\.[0-9]+)?$/.test(version),
      ),
    ).toEqual([]);
    expect(readFileSync("package-lock.json", "utf8")).not.toMatch(/"resolved": "(?!packages\/)/);
  });

  it("of Biome are all in the lock file, for npm ci asks for every platform's", () => {
    const lock = readFileSync("package-lock.json", "utf8");
    const platforms = [...lock.matchAll(/"(@biomejs\/cli-[^"]+)": "/g)].map(([, name]) => name);
    expect(platforms.length).toBeGreaterThan(5);
    expect(platforms.filter((name) => !lock.includes(`"node_modules/${name}"`))).toEqual([]);
  });
});
