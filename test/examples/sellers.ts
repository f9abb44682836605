import type { Browser } from "playwright-core";
import { z } from "zod";
import { openBrowser } from "../browser/browser.ts";
import { killProgram, type Program, startCommand } from "../scenarios/program.ts";
import type { Example } from "./table.ts";

/** An example that ran to its end: its exit code, and all that it showed. */
export interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** The bridge, or a proxy before it. */
export interface Bridge {
  readonly url: string;
  readonly token: string;
}

export interface Seller {
  /** The command as the table has it; with an amount, it and a reference stand behind it. */
  sell(bridge: Bridge, amount?: string): Promise<Ended>;
  close(): Promise<void>;
  /** A page's own, which the bridge has to know. */
  readonly origin?: string;
}

/** The address and the placeholder that the commands name. */
const ADDRESS = "ws://127.0.0.1:7717/v1";
const TOKEN = "TOKEN";
/** Debian's own interpreters, and no other that a developer may have in front of them. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin", HOME: "/nonexistent" };

function start(command: string): Program {
  const [name = "", ...argv] = command.replace(/^npx node /, `${process.execPath} `).split(" ");
  return startCommand(name, argv, { cwd: process.cwd(), env: ENVIRONMENT });
}

export function openProgram({ language, command }: Example): Seller {
  const running = new Set<Program>();
  const sell: Seller["sell"] = async ({ url, token }, amount) => {
    const more = amount === undefined ? "" : ` ${amount} ${language}/${amount}`;
    const program = start(command.replace(ADDRESS, url).replace(TOKEN, token) + more);
    running.add(program);
    const { code } = await program.ended;
    running.delete(program);
    return { code, text: [...program.out, ...program.err].join("\n") };
  };
  const close = async (): Promise<void> => {
    for (const program of running) await killProgram(program);
  };
  return { sell, close };
}

/** Keeps every line that the page told its cashier, each a text node of its own. */
const LISTEN = `
  window.lines = [];
  const listen = (changes) => {
    for (const { target, addedNodes } of changes)
      if (target.id === "told") for (const { data } of addedNodes) window.lines.push(data);
  };
  new MutationObserver(listen).observe(document, { childList: true, subtree: true });
`;
const ENDS = { Approved: 0, Declined: 1, Cancelled: 1, Failed: 1, Refused: 2 };

/** A page in a browser; its exit code is that of a program which tells the same. */
export async function openPage({ command }: Example): Promise<Seller> {
  const server = start(`${command} 0`);
  const [address, browser] = await Promise.all([server.line(/^http:/), openBrowser()]);
  return {
    origin: new URL(address).origin,
    sell: (bridge, amount) => sellOn(browser, address, bridge, amount),
    close: async () => {
      await browser.close();
      await killProgram(server);
    },
  };
}

async function sellOn(browser: Browser, address: string, { url, token }: Bridge, amount?: string): Promise<Ended> {
  const context = await browser.newContext();
  try {
    await context.addInitScript({ content: LISTEN });
    const page = await context.newPage();
    await page.goto(address);
    await page.getByLabel("Bridge").fill(url);
    await page.getByLabel("Token").fill(token);
    if (amount !== undefined) await page.getByLabel("EUR").fill(amount);
    await page.getByRole("button", { name: "Sell" }).click();
    const last = page.locator("#told").filter({ hasText: new RegExp(`^(${Object.keys(ENDS).join("|")}): `) });
    const told = (await last.textContent({ timeout: 60_000 })) ?? "";
    const lines = z.array(z.string()).parse(await page.evaluate("window.lines"));
    const code = Object.entries(ENDS).find(([word]) => told.startsWith(word))?.[1] ?? null;
    return { code, text: [...lines.slice(0, -1), await page.locator("#receipt").textContent(), told].join("\n") };
  } finally {
    await context.close();
  }
}
