import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFinds, openDemo, type VisitedDemo, visit } from "./demo.ts";

let demo: VisitedDemo;

beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo?.close());

describe("the front page", () => {
  it("leads to the till, the console and the terminal, each connected by itself", async () => {
    const { page, complaints } = await visit(demo, "/");
    for (const name of ["Till", "Console", "Terminal"]) {
      await page.goto(demo.url);
      await page.getByRole("link", { name: new RegExp(`^${name} `) }).click();
      await page.getByText("Connected as demo-").waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it.each(["light", "dark"] as const)("can be used by everybody in %s", async (scheme) => {
    const { page, complaints } = await visit(demo, "/", { scheme });
    await page.getByRole("link", { name: /^Till / }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** Everything that a browser loads for a page, compressed. */
async function bytesOf(path: string): Promise<number> {
  const { page, context } = await visit(demo, path);
  const sizes =
    '["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).map((entry) => entry.transferSize)';
  const loaded = await page.evaluate<readonly number[]>(sizes);
  await context.close();
  return loaded.reduce((sum, size) => sum + size, 0);
}

describe.each(["/", "/till/", "/console/", "/terminal/"])("%s", (path) => {
  it("is under 150 kB compressed", async () => {
    const bytes = await bytesOf(path);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(150_000);
  });
});
