import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** A package inside a program, with its license. */
export const licensedPackageSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  text: z.string(),
});
export type LicensedPackage = z.infer<typeof licensedPackageSchema>;

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
});

const LICENSE_FILE = /^(licen[cs]e|copying|unlicense)(\.(md|txt))?$/i;

/** Packages of native code for one machine; the package that loads them has their license. */
const LICENSED_BY: readonly (readonly [RegExp, string])[] = [
  [/^@node-usb\//, "usb"],
  [/^@lydell\/node-pty-/, "@lydell/node-pty"],
];

/**
 * A package's license and its text, each empty if missing. `nodeModules` contains the packages that others refer to.
 */
export function licenseOf(folder: string, nodeModules: string): LicensedPackage {
  const {
    name,
    version,
    license = "",
    author,
  } = manifestSchema.parse(JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")));
  const other = LICENSED_BY.find(([names]) => names.test(name))?.[1];
  const holder = (typeof author === "string" ? author : author?.name) ?? `the authors of ${name}`;
  const stated = license === "MIT" ? mit(holder) : "";
  return { name, version, license, text: textIn(folder) ?? (other && textIn(path.join(nodeModules, other))) ?? stated };
}

/** Why a package may not be distributed; undefined: it may. */
export function licenseProblem({ name, version, license, text }: LicensedPackage): string | undefined {
  if (license === "" || license === "UNLICENSED") return `${name} ${version} names no license in its package.json`;
  return text === "" ? `${name} ${version} brings no text of its license ${license}` : undefined;
}

function textIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const file = readdirSync(folder)
    .sort()
    .find((one) => LICENSE_FILE.test(one));
  return file === undefined
    ? undefined
    : readFileSync(path.join(folder, file), "utf8").replaceAll("\r\n", "\n").trimEnd();
}

/** The standard text (SPDX: MIT), for a package that names the license but has no file. */
function mit(holder: string): string {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
