import { expect, it } from "vitest";
import { simulators } from "../../../drivers/simulators.ts";
import { UsageProblem } from "../../../src/commands/terminal-output.ts";
import { openDemo } from "../../../src/demo/demo.ts";
import { makeDemoSale } from "../../../src/demo/sale.ts";
import { demoLine } from "../../../src/demo/terminal.ts";

const linesOnWindows = {
  "miura-m020": "tcp",
  "magtek-dynaflex": "websocket",
  "verifone-p400": "tcp",
  "ingenico-ipp350": "tcp",
  "pax-d180": "tcp",
  "idtech-vp3300": undefined,
  "magtek-edynamo": undefined,
} as const;

it.each(Object.entries(linesOnWindows))("on Windows the demo's line to a %s is %s", (id, line) => {
  const simulator = simulators.find(({ driver }) => driver === id);
  if (simulator === undefined) throw new Error(`no simulator of ${id}`);
  const choose = () => demoLine(simulator, "windows");
  if (line === undefined)
    expect(choose).toThrow(/has no network line, and Windows has no pseudo-terminals; choose one of miura-m020, /);
  else expect(choose()).toBe(line);
  expect(demoLine(simulator, "linux")).toBe("serial");
});

const quiet = { pace: "quick", registerPort: 0, sandboxPort: 0, origins: [], step: () => undefined } as const;

it.each(["miura-m020", "magtek-dynaflex"])(
  "the demo as Windows runs it sells with %s over the network",
  async (model) => {
    const demo = await openDemo({ ...quiet, model, platform: "windows" });
    try {
      expect(demo.terminalAt).toMatch(/^127\.0\.0\.1:\d+$/);
      const { payment, receipt } = await makeDemoSale(demo, quiet.step);
      expect(payment.outcome).toBe("APPROVED");
      expect(receipt).toMatch(/Amount +12\.34 EUR/);
    } finally {
      await demo.close();
    }
  },
);

it("a model without a network line is refused before a folder is made", async () => {
  await expect(openDemo({ ...quiet, model: "idtech-vp3300", platform: "windows" })).rejects.toThrow(UsageProblem);
});
