import { createServer, type Server } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientScript } from "../../../packaging/client.ts";
import { printed } from "./console-page.ts";
import { axeFinds, openDemo, type Visit, type VisitedDemo, visit } from "./demo.ts";

/** A register's page of another origin, with nothing but the package and the address of the bridge. */
const PAGE = `<!doctype html><html lang="en"><title>Till</title><p id="said"></p>
<button id="pair">Pair</button><button id="sell">Sell</button><script type="module">
import { browserPairingStore, connect, pairRegister } from "/client.js";
const url = new URLSearchParams(location.search).get("bridge");
const pairing = browserPairingStore();
const say = (text) => { document.getElementById("said").textContent = text; };
const trying = (run) => () => run().catch((error) => say(error.name + ": " + error.message));
document.getElementById("pair").onclick = trying(async () => {
  const paired = await pairRegister({ url, name: "till-9", store: pairing, onCode: ({ code }) => say(code) });
  const { key } = await pairing.read();
  const readable = await crypto.subtle.exportKey("jwk", key.privateKey).then(() => "readable", () => "unreadable");
  say("paired " + paired.register + ", key " + readable);
});
document.getElementById("sell").onclick = trying(async () => {
  const register = connect({ url, pairing, onState: (state) => { if ("why" in state) say(state.is + ": " + state.why); } });
  const reference = crypto.randomUUID();
  const sale = register.start({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" });
  const { outcome } = await sale.final;
  register.close();
  say(outcome);
});
</script></html>`;

let server: Server;
let demo: VisitedDemo;
let till: Visit;
let origin: string;

beforeAll(async () => {
  const script = await clientScript();
  server = createServer(({ url = "" }, response) => {
    const isScript = url === "/client.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isScript ? script : PAGE);
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  origin = `http://127.0.0.1:${port}`;
  demo = await openDemo("--origin", origin);
  till = await visit({ browser: demo.browser, url: origin }, `/?bridge=${printed(demo, /register API +(\S+)/)}`);
});
afterAll(async () => {
  await demo?.close();
  server?.close();
});

const said = (page: Page) => page.locator("#said").textContent();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

describe("a register's page in a browser", () => {
  it("is paired by its code, which the technician types, and keeps a key that nobody can read", async () => {
    await press(till.page, "Pair");
    await expect.poll(() => said(till.page)).toMatch(/^[2-9A-Z]{6}$/);
    const code = await said(till.page);
    for (const scheme of ["light", "dark"] as const) {
      const desk = await visit(demo, "/console/", { scheme });
      await desk.page.getByText(origin, { exact: true }).waitFor();
      expect(await desk.page.getByText(code ?? "", { exact: true }).count()).toBe(0);
      const typed = desk.page.getByLabel("The code that the register shows to someone who stands there now");
      await typed.fill("222222");
      await press(desk.page, "Approve");
      await desk.page.getByText("no register waits with this code").waitFor();
      await typed.fill(code?.toLowerCase() ?? "");
      expect(await axeFinds(desk.page)).toEqual([]);
      if (process.env["PICTURES"] !== undefined)
        await desk.page.screenshot({ path: `${process.env["PICTURES"]}/pairing-${scheme}.png`, fullPage: true });
      if (scheme === "dark") await press(desk.page, "Approve");
      if (scheme === "dark") await desk.page.getByText("Register till-9 is paired.").waitFor();
      await desk.context.close();
    }
    await expect.poll(() => said(till.page)).toBe("paired till-9, key unreadable");
  });

  it("sells, is loaded again, and sells again, without any token", async () => {
    for (let sale = 0; sale < 2; sale += 1) {
      await press(till.page, "Sell");
      await expect.poll(() => said(till.page), { timeout: 20_000 }).toBe("APPROVED");
      await till.page.reload();
      expect(await said(till.page)).toBe("");
    }
  });

  it("that was never paired is told so", async () => {
    const other = await visit(
      { browser: demo.browser, url: origin },
      `/?bridge=${printed(demo, /register API +(\S+)/)}`,
    );
    await press(other.page, "Sell");
    await expect.poll(() => said(other.page)).toContain("this register is not paired with the bridge: pair it first");
    await other.context.close();
  });
});
