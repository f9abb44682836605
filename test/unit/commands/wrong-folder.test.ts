import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { shopCommands } from "../../../src/commands/shop.ts";
import { SMALLEST } from "../config/surroundings.ts";
import { recordedOutput } from "./recorded-output.ts";

const root = fs.mkdtempSync(path.join(tmpdir(), "posbridge-wrong-folder-"));
process.once("exit", () => fs.rmSync(root, { recursive: true, force: true }));

const HEADER =
  "ReconciliationType;PaymentType;Cashflow;UniqueID;Amount;Currency;SettlementAmount;SettlementCurrency;SettlementFee;SettlementDate;SettlementStatus;TransactionId";
const settlement = path.join(root, "settlement.csv");
fs.writeFileSync(settlement, `${HEADER}\n`);

/** Each command that takes --data, with what else it needs. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  "terminals trace": ["till-1"],
  "tokens create": ["--register", "till-1"],
  "tokens list": [],
  "tokens revoke": ["till-1"],
  "tokens pending": [],
  "tokens approve": ["ABC234"],
  "tokens refuse": ["ABC234"],
  "certificates create": ["--name", "bridge.shop.example"],
  "certificates list": [],
  "certificates print": [],
  "payments list": [],
  "payments show": ["4711"],
  "payments export": [],
  reconcile: [settlement, "--from", "2026-01-01", "--to", "2026-01-31"],
  "journal verify": [],
  "journal accept": ["63"],
  resolve: ["4711", "--register", "till-1", "--as", "reversed", "--reason", "asked"],
  "rollbacks list": [],
  "rollbacks confirm": ["--reason", "checked"],
  reload: [],
  stop: [],
  backup: [path.join(root, "posbridge.backup")],
  "support-bundle": [path.join(root, "bundle.json")],
};

/** Its folder is to be empty or not there yet. */
const MAKES_ITS_OWN = "restore";

const missing = path.join(root, "typo");
const foreign = path.join(root, "documents");
fs.mkdirSync(foreign, { mode: 0o700 });
fs.writeFileSync(path.join(foreign, "letter.txt"), "hello");
const file = path.join(root, "a-file");
fs.writeFileSync(file, "");

async function ran(argv: readonly string[]) {
  const output = recordedOutput();
  const line = { name: "posbridge", description: "", commands: shopCommands([]).map((make) => () => make(output)) };
  return { code: await runProgram(line, argv, output, false), stdout: output.stdout, stderr: output.stderr };
}

function namesWithData(command: Command, above: readonly string[] = []): readonly string[] {
  const name = [...above, command.name()];
  const own = command.options.some(({ long }) => long === "--data") ? [name.join(" ")] : [];
  return [...own, ...command.commands.flatMap((one) => namesWithData(one, name))];
}

describe("a folder that is no data folder", () => {
  it("is tried with every command that takes one", () => {
    const commands = shopCommands([]).map((make) => make(recordedOutput()));
    const reading = commands.flatMap((command) => namesWithData(command)).filter((name) => name !== MAKES_ITS_OWN);
    expect(reading.toSorted()).toEqual(Object.keys(NEEDS).toSorted());
  });

  describe.each(Object.entries(NEEDS))("%s", (name, needs) => {
    it.each([
      ["a folder that does not exist", missing, `${missing} does not exist`],
      ["somebody's documents", foreign, `${foreign} is not a data folder`],
      ["a file", file, `${file} is not a folder`],
    ])("calls it wrong usage, and names it: %s", async (_what, data, problem) => {
      const { code, stdout, stderr } = await ran([...name.split(" "), ...needs, "--data", data]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: [] });
      expect(stderr.join("\n")).toContain(`posbridge: ${problem}`);
      expect(fs.existsSync(missing)).toBe(false);
    });
  });

  // A token or a certificate may be made before the bridge ever ran: the folder of the configuration is made then.
  it.each(Object.entries(NEEDS).filter(([name]) => !["tokens create", "certificates create"].includes(name)))(
    "%s calls it wrong usage where the configuration names it",
    async (name, needs) => {
      const config = path.join(fs.mkdtempSync(path.join(root, "shop-")), "posbridge.yaml");
      fs.writeFileSync(config, SMALLEST, { mode: 0o600 });
      const { code, stderr } = await ran([...name.split(" "), ...needs, "--config", config]);
      expect(code).toBe(2);
      expect(stderr.join("\n")).toContain(`${path.join(path.dirname(config), "data")} does not exist`);
    },
  );
});
