import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { demo } from "../../packaging/bundle.ts";
import { programName } from "../../packaging/make.ts";

/*
 * npm run test:arm64: the program for Linux on ARM sells, in an empty folder and without anything else of the project:
 * by this machine where it is one, else by qemu's
 * user mode with Debian's libraries (.ci/arm64-packages). Exit code 0 only where the sale is approved.
 */

const LIMIT_MS = 180_000;
const program = resolve("dist", programName(demo, "linux-arm64"));
const libraries = join(
  process.env["POSBRIDGE_ARM64"] ??
    join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "posbridge", "arm64"),
  "usr/aarch64-linux-gnu",
);
const isOwn = process.arch === "arm64";

try {
  process.stdout.write(
    `arm64: a chip sale with PIN over 12.34 EUR is approved, in ${sell()} s${isOwn ? "" : " under qemu"}\n`,
  );
} catch (error) {
  process.stderr.write(`arm64: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** One sale; the seconds that it took. Throws what kept it from being approved. */
function sell(): number {
  if (!existsSync(program))
    throw new Error(`${program} is missing; make it: npm run package -- --target linux-arm64 --demo`);
  if (!isOwn && !existsSync(libraries))
    throw new Error(`${libraries} is missing; get it and qemu's user mode: .ci/arm64-packages`);
  const folder = mkdtempSync(join(tmpdir(), "posbridge-arm64-"));
  const begun = performance.now();
  try {
    const [command = "", ...args] = [...(isOwn ? [] : ["qemu-aarch64-static"]), program, "demo", "--once"];
    const env = { PATH: "/usr/bin:/bin", HOME: folder, ...(!isOwn && { QEMU_LD_PREFIX: libraries }) };
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: folder,
      env,
      encoding: "utf8",
      timeout: LIMIT_MS,
    });
    if (error !== undefined) throw new Error(`${command}: ${error.message}`);
    const isApproved = status === 0 && /^Amount +12\.34 EUR$/m.test(stdout) && /^ +APPROVED$/m.test(stdout);
    if (!isApproved) throw new Error(`no approved sale, exit code ${status}:\n${stdout}${stderr}`);
    const left = readdirSync(folder);
    if (left.length > 0) throw new Error(`the folder in which it ran is not empty any more: ${left.join(", ")}`);
    return Math.round((performance.now() - begun) / 1000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
