import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { z } from "zod";
import * as messages from "../src/register/rpc/schemas.ts";
import { named } from "./client-types.ts";
import { jsonOf } from "./json-type.ts";

/*
 * npm run client   packages/client/dist: what the npm package posbridge-client holds
 *
 * JavaScript without imports, and its types. Of zod nothing remains: the schemas of the bridge's messages go in as data.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const home = join(root, "packages", "client");
const dist = join(home, "dist");

/** The module of the schemas as shapes: the same names, each read by src/client/shape.ts. */
function shapesText(): string {
  const data = [...named].map(([schema, name]) => `const ${name} = ${literal(jsonOf(schema, named))};\n`);
  const shapes = Object.entries(messages).flatMap(([name, schema]) =>
    schema instanceof z.ZodType
      ? [`export const ${name} = /* @__PURE__ */ shape(${named.get(schema) ?? literal(jsonOf(schema, named))});\n`]
      : [],
  );
  return `import { shape } from "../../client/shape.ts";\n${data.join("")}${shapes.join("")}`;
}

/** References become the names of the constants; `shape` ignores lengths and patterns. */
function literal(json: object): string {
  const told = JSON.stringify(json, (key, value: unknown) =>
    ["pattern", "format", "minimum", "maximum", "minLength", "maxLength", "propertyNames"].includes(key)
      ? undefined
      : value,
  );
  return told.replaceAll(/\{"\$ref":"(\w+)"\}/g, "$1");
}

const withShapes: Plugin = {
  name: "shapes",
  setup: ({ onLoad }) => {
    onLoad({ filter: /src[/\\]register[/\\]rpc[/\\]schemas\.ts$/ }, () => ({ loader: "js", contents: shapesText() }));
  },
};

/** The package's JavaScript. Throws if something of a package of others is in it. */
export async function clientScript(): Promise<string> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(home, "index.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [withShapes],
  });
  const foreign = Object.keys(metafile.inputs).filter(
    (file) => !/^(src\/(client|kit|register\/(rpc|pairing))|packages)\//.test(file),
  );
  if (foreign.length > 0)
    throw new Error(
      `posbridge-client must not hold ${foreign.join(", ")}: put the schema into src/register/rpc/schemas.ts`,
    );
  return outputFiles.map(({ text }) => text).join("");
}

/** Writes index.d.ts, and below types/ the declarations that it reaches. */
function writeTypes(): void {
  const made = mkdtempSync(join(tmpdir(), "posbridge-client-types-"));
  try {
    const options = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", made];
    const command = ["-p", join(home, "tsconfig.json"), ...options];
    execFileSync(join(root, "node_modules", ".bin", "tsc"), command, { cwd: root, stdio: "inherit" });
    const reached = reachedFrom(join(made, "packages", "client", "index.d.ts"));
    for (const file of reached) {
      const inside = relative(made, file).replaceAll("\\", "/");
      const to = inside === "packages/client/index.d.ts" ? "index.d.ts" : inside.replace(/^src\//, "types/");
      const text = readFileSync(file, "utf8").replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"');
      mkdirSync(dirname(join(dist, to)), { recursive: true });
      writeFileSync(join(dist, to), to === "index.d.ts" ? text.replaceAll("../../src/", "./types/") : text);
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function reachedFrom(first: string): readonly string[] {
  const reached = new Set([first]);
  for (const file of reached) {
    for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/from "([^"]+)"/g)) {
      if (!from.startsWith(".")) throw new Error(`${file}: the package's types must not need ${from}`);
      reached.add(join(dirname(file), from.replace(/\.ts$/, ".d.ts")));
    }
  }
  return [...reached];
}

if (import.meta.main) {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, "index.js"), await clientScript());
  writeTypes();
  copyFileSync(join(root, "LICENSE"), join(home, "LICENSE"));
}
