import { Command, Option } from "commander";
import { systemPlatform } from "../kit/system-platform.ts";
import { paceNames } from "../simulator/pace.ts";
import { portOf } from "./port.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

interface Options {
  readonly port?: string;
  readonly once?: true;
  readonly model: string;
  readonly origin: readonly string[];
  readonly pace: string;
}

/** The documented ports of a demo. `--once` uses free ports, so that it runs beside anything else. */
const REGISTER_PORT = 7717;
const SANDBOX_PORT = 7718;

/** `demo`: sandbox gateway, simulated terminal, bridge and register on this machine. Only the money is not real. */
export function demoCommand(output: Output): Command {
  return new Command("demo")
    .description("try everything on this machine: sandbox gateway, simulated terminal, bridge, register")
    .option("--port <number>", `port of the register API (${REGISTER_PORT}; any free one with --once)`)
    .option("--once", "make one approved chip sale with PIN of 12.34 EUR, print the customer receipt, and end")
    .option("--model <model>", "the simulated terminal's model", "miura-m020")
    .addOption(
      new Option("--pace <pace>", "how long the terminal takes over a chip: quick, or real as recorded of a device")
        .choices(paceNames)
        .default("quick"),
    )
    .addOption(
      new Option("--origin <origin>", "lets a page of that origin in a browser connect; repeatable")
        .argParser((origin: string, before: readonly string[]) => [...before, origin])
        .default([], "none"),
    )
    .addHelpText("after", "\nExample:\n  npm run demo -- --once\n  npm run demo -- --origin http://127.0.0.1:8080")
    .action((options: Options) => runDemo(options, output));
}

async function runDemo({ port, once, model, pace: wanted, origin: origins }: Options, output: Output): Promise<void> {
  const [{ openDemo }, { makeDemoSale }, { isExactOrigin }] = await Promise.all([
    import("../demo/demo.ts"),
    import("../demo/sale.ts"),
    import("../config/rules.ts"),
  ]);
  const wrong = origins.find((origin) => !isExactOrigin(origin));
  if (wrong !== undefined)
    throw new UsageProblem(
      `--origin ${wrong}: must be an exact origin without a path, for example http://127.0.0.1:8080`,
    );
  const registerPort = port === undefined ? (once === true ? 0 : REGISTER_PORT) : portOf("--port", port);
  const pace = paceNames.find((name) => name === wanted) ?? "quick";
  const step = (line: string): void => {
    if (output.tty && once === true) output.err(line);
  };
  const demo = await openDemo({
    model,
    pace,
    platform: systemPlatform,
    origins,
    registerPort,
    sandboxPort: once === true ? 0 : SANDBOX_PORT,
    step,
  });
  try {
    if (once === true) {
      const { payment, receipt } = await makeDemoSale(demo, step);
      output.out(receipt);
      if (payment.outcome !== "APPROVED")
        throw new OperationFailed(
          `the sale ended ${payment.outcome ?? payment.state}: ${payment.reason?.message ?? "no reason given"}`,
        );
      return;
    }
    // From here on the demo stays, even if nobody reads its output.
    const { stopped } = output;
    for (const line of howToConnect(demo, origins)) output.out(line);
    await Promise.race([stopped, demo.stopAsked]);
  } finally {
    await demo.close();
  }
}

/** Addresses for people come before those for programs. */
function pageLines(url: string | undefined): readonly string[] {
  if (url === undefined) return ["  The web pages are not built: npm run pages"];
  return [
    "Open in a browser:",
    `  till           ${url}till/`,
    `  terminal       ${url}terminal/`,
    `  console        ${url}console/`,
    "For programs:",
  ];
}

function howToConnect(
  {
    url,
    token,
    sandboxUrl,
    terminalAt,
    controlUrl,
    dataDir,
    pagesUrl,
  }: Awaited<ReturnType<typeof import("../demo/demo.ts").openDemo>>,
  origins: readonly string[],
): readonly string[] {
  return [
    "posbridge demo (TEST, no money moves). Ctrl-C ends it.",
    ...pageLines(pagesUrl),
    `  register API   ${url}`,
    `  register token ${token.reveal()}`,
    `  browser pages  ${origins.length === 0 ? "none may connect; --origin http://127.0.0.1:8080 lets those of that origin" : `of ${origins.join(", ")}`}`,
    `  terminal       till-1, a simulated customer presents the card and types the PIN (${terminalAt})`,
    `  its controls   ${controlUrl}screen`,
    `  sandbox        ${sandboxUrl} (ledger: ${sandboxUrl}sandbox/v1/ledger)`,
    `  data folder    ${dataDir}`,
    "Connect a WebSocket, send these two frames, and watch payment.changed:",
    `  {"jsonrpc":"2.0","id":1,"method":"session.open","params":{"token":"${token.reveal()}"}}`,
    '  {"jsonrpc":"2.0","id":2,"method":"payment.start","params":{"reference":"demo-1","type":"SALE","terminal":"till-1","currency":"EUR","amount":"12.34"}}',
  ];
}
