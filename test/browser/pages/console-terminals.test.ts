import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RegisterClient } from "../../../src/client/client.ts";
import { killProgram, type Program, startProgram } from "../../scenarios/program.ts";
import { openRegister, textOf } from "./console-page.ts";
import { openDemo, type Visit, type VisitedDemo, visit } from "./demo.ts";

let demo: VisitedDemo;
let register: RegisterClient;
let here: Visit;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), "posbridge-console-"));
const SECOND = { path: join(folder, "second"), serial: "20000007" };
const SPARE = { path: join(folder, "spare"), serial: "20000008" };
const simulated: Program[] = [];

beforeAll(async () => {
  simulated.push(
    ...[SECOND, SPARE].map(({ path, serial }) =>
      startProgram("simulate", "miura-m020", "--pty", path, "--serial", serial),
    ),
  );
  demo = await openDemo();
  register = await openRegister(demo);
  here = await visit(demo, "/console/#/terminals");
  page = here.page;
  page.setDefaultTimeout(15_000);
  await Promise.all(simulated.map((program, at) => program.line(new RegExp(at === 0 ? "second" : "spare"))));
});
afterAll(async () => {
  register?.close();
  await Promise.all([demo?.close(), ...simulated.map((program) => killProgram(program))]);
  rmSync(folder, { recursive: true, force: true });
});

const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
const heading = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const follow = (name: string) => page.getByRole("link", { name, exact: true }).first().click();

describe("a second terminal", () => {
  it("is paired once everything about it is said, by reading its serial number back", async () => {
    await follow("Pair a terminal");
    await heading("Pair a terminal");
    await press("Prove and pair");
    await see("Choose the model: it is printed on the back of the terminal.");
    await page.getByRole("combobox", { name: /^Model/ }).selectOption("miura-m020");
    await page.getByLabel("Device", { exact: true }).fill(SECOND.path);
    await page.getByLabel(/^Name for people/).fill("Front <b>desk</b>");
    await page.getByLabel(/^Terminal id/).fill("87654321");
    await page.getByLabel(/^Device type/).fill("MIURA_M020");
    await press("Prove and pair");
    await see(`is paired: serial number ${SECOND.serial}`);
    await follow("To the terminal");
    await heading("Front <b>desk</b>");
    await see("this console (data folder)");
  });

  it("is tested without a payment", async () => {
    await press("Test the terminal");
    await see(/It answered in .* serial number 20000007/);
    expect((await register.list()).payments).toEqual([]);
  });

  it("is renamed and keeps its id", async () => {
    await press("Rename it");
    await page.getByLabel("Name for people").fill("Bar");
    await press("Rename");
    await heading("Bar");
    expect((await register.terminals()).find(({ id }) => id === "till-2")?.label).toBe("Bar");
  });

  it("is replaced by another device and keeps its id", async () => {
    await follow("Replace it");
    await heading("Replace terminal till-2");
    await page.getByLabel("Device", { exact: true }).fill(SPARE.path);
    await press("Prove and replace");
    await see(`is replaced: serial number ${SPARE.serial}`);
    expect((await register.terminals()).map(({ id, serialNumber }) => [id, serialNumber])).toContainEqual([
      "till-2",
      SPARE.serial,
    ]);
  });

  it("is not replaced by a device that does not answer, and the page says why", async () => {
    await follow("To the terminal");
    await follow("Replace it");
    await page.getByLabel("Device", { exact: true }).fill(join(folder, "nothing"));
    await press("Prove and replace");
    await page.getByRole("alert").first().waitFor();
    await follow("Terminal till-2");
    await page.locator("dd", { hasText: SPARE.serial }).waitFor();
  });

  it("is unpaired only after a question", async () => {
    await page.goto(new URL("/console/#/terminals/till-2", demo.url).href);
    await press("Unpair it");
    await press("Keep it");
    await press("Unpair it");
    await press("Unpair till-2");
    await heading("Terminals");
    await page.getByRole("link", { name: "Bar", exact: true }).waitFor({ state: "detached" });
    expect((await register.terminals()).map(({ id }) => id)).toEqual(["till-1"]);
  });
});

it("the line of a sale is read, downloaded without key or card number, and ends when it is told to", async () => {
  await page.goto(new URL("/console/#/terminals/till-1/trace", demo.url).href);
  await press("Read the line");
  await see(/ends by itself in 1[45] min/);
  await register.startPayment({
    reference: "traced",
    type: "SALE",
    terminal: "till-1",
    currency: "EUR",
    amount: "12.34",
  });
  expect((await register.waitPayment({ reference: "traced" })).outcome).toBe("APPROVED");
  await page.getByLabel("Frames").getByText("9F02 authorised amount = 000000001234").first().waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), press("Download as text")]);
  expect(file.suggestedFilename()).toBe("trace-till-1.txt");
  const text = await textOf(file);
  expect(text).toContain("9F27");
  // The demo's card is visa-contact of the deck; its PIN is 1234, which stands nowhere as keys.
  expect(text).not.toMatch(/476173900101|[0-9]{13,19}(?![0-9]*\.)/);
  await press("Stop");
  await see("The line is not read.");
  expect(here.complaints).toEqual([]);
});
