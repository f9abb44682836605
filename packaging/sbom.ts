import { execFileSync } from "node:child_process";
import type { Content } from "./contents.ts";
import type { Locked } from "./npm-packages.ts";
import type { TargetName } from "./targets.ts";

/*
 * The list of what is inside one program, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). A test holds it
 * against the official schema.
 */

export interface Subject {
  readonly name: string;
  readonly target: TargetName;
  readonly commit: string | undefined;
  /** ISO 8601; the commit's own time, so that a program made twice has the same list. */
  readonly madeAt: string | undefined;
  readonly sha256: string;
  /** The product first. */
  readonly contents: readonly Content[];
}

interface Component {
  readonly type: "application" | "library" | "platform";
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly cpe?: string;
  readonly hashes?: readonly { readonly alg: "SHA-256" | "SHA-512"; readonly content: string }[];
  readonly licenses: readonly ({ readonly license: { readonly id: string } } | { readonly expression: string })[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Sbom {
  readonly $schema: string;
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: { readonly timestamp?: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** `locked` gives the checksum of each package's tarball, by its place in package-lock.json. */
export function sbom(subject: Subject, locked: ReadonlyMap<string, Partial<Locked>>): Sbom {
  const [product, ...packages] = subject.contents;
  if (product === undefined) throw new Error("a program without contents");
  const ours = ownComponent(subject, product);
  const once = [...new Map(packages.map((content) => [refOf(content), content])).values()];
  const needs = once.map((content) => ({ ref: refOf(content), dependsOn: neededBy(content, once) }));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(subject.sha256)}`,
    version: 1,
    metadata: { ...(subject.madeAt !== undefined && { timestamp: subject.madeAt }), component: ours },
    components: once.map((content) => componentOf(content, locked.get(content.place)?.integrity)),
    dependencies: [{ ref: ours["bom-ref"], dependsOn: once.map(refOf) }, ...needs],
  };
}

function ownComponent({ name, target, commit, sha256 }: Subject, { version, license }: Content): Component {
  const properties = [
    { name: "posbridge:target", value: target },
    ...(commit === undefined ? [] : [{ name: "posbridge:commit", value: commit }]),
  ];
  const purl = `pkg:generic/${name}@${version}?target=${target}`;
  return {
    ...{ type: "application", "bom-ref": purl, name, version, purl },
    hashes: [{ alg: "SHA-256", content: sha256 }],
    licenses: [licensed(license)],
    properties,
  };
}

function componentOf(content: Content, integrity: string | undefined): Component {
  const { name, version, license } = content;
  const [scope, short] = name.startsWith("@") ? name.split("/") : [];
  const hash = integrity === undefined ? "" : Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    type: isNode(content) ? "platform" : "library",
    "bom-ref": refOf(content),
    ...(scope !== undefined && { group: scope }),
    name: short ?? name,
    version,
    purl: refOf(content),
    ...(isNode(content) && { cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*` }),
    ...(hash !== "" && { hashes: [{ alg: "SHA-512", content: hash }] }),
    licenses: [licensed(license)],
  };
}

function isNode({ name }: Content): boolean {
  return name === "node";
}

/** A package URL (https://github.com/package-url/purl-spec); Node's is that of the package it came in. */
function refOf(content: Content): string {
  const name = isNode(content) ? content.place.replace("node_modules/", "") : content.name;
  return `pkg:npm/${name.replace("@", "%40")}@${content.version}`;
}

/** Of several versions of a package, npm's own choice: the one nearest to who needs it. */
function neededBy({ place, needs }: Content, all: readonly Content[]): readonly string[] {
  const found = needs.flatMap((need) => {
    const above = all.filter(
      (one) => one.name === need && `${place}/`.startsWith(one.place.slice(0, one.place.lastIndexOf("node_modules/"))),
    );
    const nearest = above.toSorted((one, other) => other.place.length - one.place.length)[0];
    return nearest === undefined ? [] : [refOf(nearest)];
  });
  return [...new Set(found)].sort();
}

/** "MIT" is an id, "(MIT OR Apache-2.0)" an expression. */
function licensed(license: string): Component["licenses"][number] {
  return /^[A-Za-z0-9.+-]+$/.test(license) ? { license: { id: license } } : { expression: license };
}

/** A UUID of version 8 (RFC 9562), made from the program's own checksum. */
function uuidOf(sha256: string): string {
  return `${sha256.slice(0, 8)}-${sha256.slice(8, 12)}-8${sha256.slice(13, 16)}-8${sha256.slice(17, 20)}-${sha256.slice(20, 32)}`;
}

/** When the commit that is checked out was made; undefined where git cannot tell. */
export function commitTime(root: string): string | undefined {
  try {
    return (
      execFileSync("git", ["-C", root, "log", "-1", "--format=%cI"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim() || undefined
    );
  } catch {
    // The list is as good without it.
    return undefined;
  }
}
