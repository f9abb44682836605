import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

/*
 * npm run pages   dist/pages/shop.json, dist/pages/demo.json: the pages of src/web, ready to be served
 *
 * npm does it after every `npm ci` and before `npm run demo`. Where nothing changed since the last time, nothing is
 * done.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = join(root, "src", "web");
const output = join(root, "dist", "pages");

/** The pages of each program. A shop's has no simulated terminal. */
const SETS = {
  shop: ["index.html", "till/index.html", "console/index.html"],
  demo: ["index.html", "till/index.html", "console/index.html", "terminal/index.html"],
} as const;

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

const stamp = inputs();
const stampFile = join(output, "built-from");
const isBuilt = existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
if (!isBuilt || process.argv.includes("--force")) {
  mkdirSync(output, { recursive: true });
  for (const set of ["shop", "demo"] as const) {
    const { files, modules } = await pagesOf(SETS[set]);
    write(`${set}.json`, JSON.stringify(files));
    write(`${set}.modules.json`, JSON.stringify(modules));
  }
  write("built-from", stamp);
}

/** One number for everything that the pages are made from. */
function inputs(): string {
  const hash = createHash("sha256");
  for (const folder of [
    "src/web",
    "src/client",
    "src/register/pairing/texts.ts",
    "src/register/rpc/schemas.ts",
    "src/register/rpc/technician-schemas.ts",
    "src/payment",
    "src/kit",
    "packaging/pages.ts",
    "package-lock.json",
  ]) {
    const path = join(root, folder);
    const files = /\.[a-z]+$/.test(folder)
      ? [path]
      : readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
    for (const file of files.filter((name) => /\.[a-z]+$/.test(name)).toSorted())
      hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

interface Pages {
  readonly files: Readonly<Record<string, { readonly type: string; readonly gzip: string }>>;
  /** What they were made from, relative to the project. */
  readonly modules: readonly string[];
}

async function pagesOf(pages: readonly string[]): Promise<Pages> {
  const built = await build({
    root: web,
    configFile: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      write: false,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: pages.map((page) => join(web, page)) },
    },
  });
  if (!("output" in built)) throw new Error("vite gave no files");
  const files = Object.fromEntries(
    built.output.map((file) => {
      const body = file.type === "chunk" ? file.code : file.source;
      const type = TYPES[file.fileName.replace(/.*\./, "")];
      if (type === undefined) throw new Error(`${file.fileName}: packaging/pages.ts knows no content type for it`);
      return [
        `/${file.fileName.replace(/(^|\/)index\.html$/, "$1")}`,
        { type, gzip: gzipSync(body, { level: 9 }).toString("base64") },
      ];
    }),
  );
  const modules = built.output
    .flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    .filter((id) => id.startsWith(root));
  return { files, modules: [...new Set(modules.map((id) => relative(root, id).replaceAll("\\", "/")))].sort() };
}

/** Written beside, and put in place as a whole: a program that starts meanwhile reads the old file or the new one. */
function write(name: string, text: string): void {
  const beside = join(output, `${name}.${process.pid}`);
  writeFileSync(beside, text);
  renameSync(beside, join(output, name));
}
