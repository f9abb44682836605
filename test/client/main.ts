import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { openDemo } from "../../src/demo/demo.ts";
import { systemPlatform } from "../../src/kit/system-platform.ts";

/*
 * npm run test:client: `npm pack` of posbridge-client, an install of that file alone into an empty project, without
 * network, and the README's program against a demo bridge. Then the same program with a mistake, which must not compile.
 */

const root = path.resolve(import.meta.dirname, "../..");
const say = (line: string): void => void process.stdout.write(`client: ${line}\n`);
const readme = fs.readFileSync(path.join(root, "packages/client/README.md"), "utf8");
const program = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? assert.fail("the README has no program");

const CONFIG = {
  compilerOptions: {
    ...{
      target: "es2022",
      lib: ["es2022"],
      module: "nodenext",
      types: ["node"],
      typeRoots: [`${root}/node_modules/@types`],
    },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
  },
  files: ["sale.ts"],
};

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync("npm", [...args, "--offline", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    encoding: "utf8",
  });
}

/** What tsc says of a program in the project: nothing, or its errors. */
function compiled(project: string, text: string): string {
  fs.writeFileSync(path.join(project, "sale.ts"), text);
  return spawnSync(path.join(root, "node_modules/.bin/tsc"), ["-p", project], { encoding: "utf8" }).stdout;
}

function refused(project: string, from: string, to: string, why: RegExp): void {
  assert(program.includes(from), `the README's program has no ${from}`);
  const errors = compiled(project, program.replace(from, to));
  assert.match(errors, why, `${to} in place of ${from} must not compile`);
}

function install(project: string): void {
  const [packed] = npm(root, "pack", "--workspace", "posbridge-client", "--pack-destination", project)
    .trim()
    .split("\n")
    .slice(-1);
  fs.writeFileSync(path.join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm(project, "install", `./${packed}`);
  const installed = fs.readdirSync(path.join(project, "node_modules")).filter((name) => !name.startsWith("."));
  assert.deepEqual(installed, ["posbridge-client"]);
  const files = fs.readdirSync(path.join(project, "node_modules/posbridge-client")).sort();
  assert.deepEqual(files, ["LICENSE", "README.md", "dist", "package.json"]);
  say(`${packed} is installed, and nothing else`);
}

function compile(project: string): void {
  fs.writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify(CONFIG));
  refused(project, 'amount: "12.34"', 'cashier: "Ada"', /'amount' is missing/);
  refused(project, 'amount: "12.34"', "amount: 12.34", /'number' is not assignable to type 'string'/);
  refused(project, 'amount: "12.34"', 'amount: "12.34", numberOfCaptures: 2', /numberOfCaptures/);
  refused(project, 'amount: "12.34"', 'amount: "12.34", cart: { items: [{ nam: "tea" }] }', /'nam' does not exist/);
  assert.equal(compiled(project, program), "");
  say("the README's program compiles, and a sale without amount does not");
}

async function sell(project: string): Promise<void> {
  const demo = await openDemo({
    ...{ model: "miura-m020", pace: "quick", platform: systemPlatform, registerPort: 0, sandboxPort: 0, origins: [] },
    step: () => undefined,
  });
  try {
    const env = { ...process.env, POSBRIDGE_URL: demo.url, POSBRIDGE_TOKEN: demo.token.reveal() };
    const { stdout: out } = await promisify(execFile)(process.execPath, ["sale.ts"], {
      cwd: project,
      env,
      timeout: 30_000,
    });
    assert.match(out, /Hand over the goods\./);
    say("it sells");
  } finally {
    await demo.close();
  }
}

const project = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-client-"));
try {
  install(project);
  compile(project);
  await sell(project);
} finally {
  fs.rmSync(project, { recursive: true, force: true });
}
