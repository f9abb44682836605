import type { AxeResults } from "axe-core";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { killProgram, type Program, startProgram } from "../../scenarios/program.ts";
import { openBrowser } from "../browser.ts";

/** The demo as a visitor starts it, and a browser to visit it with. */
export interface VisitedDemo {
  /** Such as http://127.0.0.1:40001/ */
  readonly url: string;
  readonly browser: Browser;
  readonly program: Program;
  close(): Promise<void>;
}

export async function openDemo(...options: readonly string[]): Promise<VisitedDemo> {
  const program = startProgram("demo", "--port", "0", ...options);
  const [browser] = await Promise.all([openBrowser(), program.line(/payment\.start/)]);
  const url = /till +(http:\S+)till\//.exec(program.out.join("\n"))?.[1];
  if (url === undefined) throw new Error(`the demo printed no address of its till:\n${program.out.join("\n")}`);
  const close = async (): Promise<void> => {
    await browser.close();
    await killProgram(program);
  };
  return { url, browser, program, close };
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser's console called an error or a warning, and what was thrown. */
  readonly complaints: readonly string[];
}

export interface Looks {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** Shorter than a test's own limit, so that a failure names the step. */
const STEP_MS = 20_000;

/** Opens a page of the demo in a fresh browser profile. */
export async function visit(
  { browser, url }: Pick<VisitedDemo, "browser" | "url">,
  path: string,
  looks: Looks = {},
): Promise<Visit> {
  const { scheme = "light", width = 1_280, height = 860 } = looks;
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(STEP_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(new URL(path, url).href);
  return { page, context, complaints };
}

/** What axe-core finds against WCAG 2.2 AA and its own best practices, one line each. */
export async function axeFinds(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const run =
    'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })';
  const results = await page.evaluate<AxeResults>(run);
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${help} at ${target.join(" ")}`),
  );
}
