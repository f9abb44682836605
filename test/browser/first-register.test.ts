import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killProgram, type Program, startCommand, startProgram } from "../scenarios/program.ts";
import { openBrowser } from "./browser.ts";

/** The page of docs/first-register.md, in a browser, with the demo that it is written for. */
let page: string;
let demo: Program;
let server: Program;
let browser: Browser;

beforeAll(async () => {
  server = startCommand(process.execPath, ["examples/serve.mjs", "0"], { cwd: process.cwd(), env: {} });
  page = await server.line(/^http:/);
  demo = startProgram("demo", "--port", "0", "--origin", new URL(page).origin);
  [browser] = await Promise.all([openBrowser(), demo.line(/payment\.start/)]);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([killProgram(demo), killProgram(server)]);
});

/** A cashier opens the page, says where the bridge is and what its token is, and presses Sell. */
async function sellOn(address: string): Promise<Page> {
  const printed = (pattern: RegExp): string => pattern.exec(demo.out.join("\n"))?.[1] ?? "";
  const opened = await browser.newPage();
  await opened.goto(address);
  await opened.getByLabel("Bridge").fill(printed(/register API +(\S+)/));
  await opened.getByLabel("Token").fill(printed(/register token +(\S+)/));
  await opened.getByRole("button", { name: "Sell" }).click();
  return opened;
}

test("the first page of a newcomer sells, and shows the receipt", async () => {
  const opened = await sellOn(page);
  await expect
    .poll(() => opened.locator("#told").textContent(), { timeout: 20_000 })
    .toBe("Approved: hand over the goods.");
  expect(await opened.locator("#receipt").textContent()).toMatch(/Amount +12\.34 EUR\n +APPROVED/);
});

test("from an origin that was not named it says what to do", async () => {
  const opened = await sellOn(page.replace("127.0.0.1", "localhost"));
  const told = "The payment bridge does not know this page. A technician adds http://localhost";
  await expect.poll(() => opened.locator("#told").textContent()).toContain(told);
});
