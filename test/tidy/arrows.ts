import type { Import, SourceFile } from "./tree.ts";

/**
 * Who may import whom: a folder, a file (ends in .ts) or a package by its name. `types` may be imported as types only.
 */
interface Arrow {
  readonly may: readonly string[];
  readonly types?: readonly string[];
}

/** The only files of the payment machine that others may import. */
const PAYMENT = ["machine", "state", "request", "view", "view-schema", "exchange"].map(
  (face) => `src/payment/${face}.ts`,
);

/** Files of src/kit, for a package that names what it needs of the product. */
const kit = (...names: readonly string[]): readonly string[] => names.map((name) => `src/kit/${name}.ts`);

/**
 * Folders of src and of packages, and for one file of them more than the rest may (the longest match counts). Each package that touches
 * the world stands here once.
 */
export const ARROWS: Readonly<Record<string, Arrow>> = {
  "src/kit": { may: [] },
  "src/kit/qr.ts": { may: ["uqr"] },
  "src/kit/secret.ts": { may: ["node:util"] },
  "src/kit/system-access-list.ts": { may: ["node:child_process", "node:fs", "node:os", "node:path"] },
  "src/kit/system-accounts.ts": { may: ["node:fs"] },
  "src/kit/system-machine-names.ts": { may: ["node:os"] },
  "src/kit/system-uptime.ts": { may: ["node:os"] },
  "src/kit/system-path-access.ts": { may: ["node:fs", "node:path"] },
  "src/kit/system-random.ts": { may: ["node:crypto"] },
  "src/emv": { may: ["src/kit"] },
  "src/card": { may: ["src/kit", "src/emv"] },
  "src/payment": { may: ["src/kit", "src/emv", "src/card", "zod"] },
  "src/receipt": { may: ["src/kit", ...PAYMENT] },
  "src/receipt/escpos.ts": { may: ["src/kit", "@point-of-sale/receipt-printer-encoder"] },
  "src/timeline": { may: ["src/kit", ...PAYMENT] },
  "src/checks": { may: ["src/kit"] },
  "src/service": { may: ["src/kit"] },
  "src/engine": {
    may: ["src/kit", "src/emv", "src/card", ...PAYMENT, "zod"],
    types: ["src/register/ports.ts", "src/receipt/source.ts", "src/terminal/status.ts"],
  },
  "src/terminal": { may: ["src/kit", "src/emv", "src/card"] },
  "src/transport": { may: ["src/kit", "src/terminal/link.ts", "node:"] },
  "src/transport/serial.ts": { may: ["src/kit", "src/terminal/link.ts", "node:", "serialport"] },
  "src/transport/usb-bus.ts": { may: ["src/kit", "src/terminal/link.ts", "node:", "usb"] },
  "src/transport/websocket.ts": { may: ["src/kit", "src/terminal/link.ts", "node:", "ws"] },
  "src/journal": { may: ["src/kit", "src/engine/ports.ts", "zod", "node:"] },
  "src/gateway": {
    may: ["src/kit", "src/emv", "src/card", ...PAYMENT, "zod", "node:net"],
    types: ["src/engine/ports.ts"],
  },
  "src/gateway/https.ts": { may: ["src/kit", "node:net", "undici"] },
  "src/gateway/parameters": {
    may: ["src/kit", ...PAYMENT, "src/gateway/form.ts", "src/gateway/form-nesting.ts", "zod"],
  },
  "src/reconcile": { may: ["src/kit", ...PAYMENT] },
  "src/reconcile/reconciliation-file.ts": { may: ["src/kit", "zod", "csv-parse/sync"] },
  "src/register": {
    may: ["src/kit", ...PAYMENT, "src/receipt", "src/gateway/parameters", "zod", "node:"],
    types: ["src/engine/ports.ts", "src/terminal/status.ts"],
  },
  "src/register/rpc/socket.ts": { may: ["src/kit", ...PAYMENT, "zod", "node:", "ws"], types: ["src/engine/ports.ts"] },
  "src/http": { may: ["src/kit", "node:"] },
  "src/http/server.ts": { may: ["src/kit", "node:", "fastify"] },
  "src/config": { may: ["src/kit", "src/emv/brand.ts", "src/receipt/language.ts", "zod", "node:fs", "node:path"] },
  "src/config/yaml-source.ts": { may: ["yaml"] },
  "src/config/pem.ts": { may: ["src/kit", "node:crypto"] },
  "src/certificates": { may: ["src/kit", "node:crypto"] },
  "src/certificates/x509.ts": { may: ["src/kit", "node:crypto", "@peculiar/asn1-schema", "@peculiar/asn1-x509"] },
  "src/control": { may: ["src/kit", "zod", "node:"] },
  "src/telemetry": { may: ["src/kit", ...PAYMENT, "node:"] },
  "src/observe": { may: ["src/kit"] },
  "src/observe/lines-to-file.ts": { may: ["src/kit", "node:"] },
  "src/observe/rotated-file.ts": { may: ["src/kit", "node:"] },
  "src/observe/log.ts": { may: ["src/kit", "pino", "pino-pretty"] },
  "src/observe/figures.ts": { may: ["prom-client"] },
  // At run time no zod: the package brings the schemas as data (packaging/client.ts).
  "src/client": {
    may: [
      ...["src/kit", "src/register/rpc/schemas.ts", "src/register/rpc/technician-schemas.ts"],
      ...["src/register/pairing/texts.ts"],
    ],
    types: ["zod"],
  },
  "src/web": {
    may: ["src/client", "src/kit", "zod", "preact", "preact/hooks"],
    types: ["src/register/rpc/schemas.ts", "src/payment/view-schema.ts"],
  },
  "src/simulator": {
    may: [
      ...["src/kit", "src/emv", "src/card", "packages/sandbox/testbed"],
      ...["src/terminal/acknowledged-line.ts", "src/terminal/deframe.ts", "src/terminal/driver.ts", "zod", "node:"],
    ],
  },
  "src/simulator/control.ts": {
    may: ["src/kit", "packages/sandbox/testbed", "src/terminal/driver.ts", "zod", "node:", "fastify"],
  },
  "src/simulator/websocket-listener.ts": { may: ["src/kit", "node:", "ws"] },
  "src/windows": { may: ["src/kit", "zod"] },
  "src/windows/ffi-addon.ts": { may: ["node:module", "@koromix/koffi-win32-x64"] },
  "src/webhook": { may: ["src/kit", "zod", "node:"] },
  "packages/sandbox/gateway": {
    may: [
      ...["src/gateway/parameters", "src/gateway/form.ts", "src/webhook/seal.ts", "src/webhook/envelope.ts"],
      ...[
        "packages/sandbox/testbed",
        ...kit("business-day", "clock", "cross-origin", "hex", "money", "qr", "random", "seeded-random"),
      ],
      ...["src/emv/tlv.ts", "src/payment/exchange.ts", "zod", "node:"],
    ],
  },
  "packages/sandbox/gateway/jobs/quartz.ts": { may: ["src/gateway/parameters", "croner"] },
  "packages/sandbox/testbed": {
    may: ["src/emv/tlv.ts", ...kit("bytes", "hex", "money", "random"), "zod", "node:crypto"],
  },
  "drivers/index.ts": { may: ["drivers/*/driver.ts", "src/terminal/driver.ts"] },
  "drivers/simulators.ts": { may: ["drivers/*/simulator.ts", "src/simulator"] },
  "drivers/*": {
    may: [
      "src/terminal/driver.ts",
      "src/terminal/deframe.ts",
      "src/terminal/one-job.ts",
      "src/terminal/acknowledged-line.ts",
      "src/terminal/acknowledged-driver.ts",
      "src/card",
      "src/emv",
      "src/kit",
      "drivers/vipa",
    ],
  },
  "drivers/*/simulator*.ts": {
    may: [
      "src/terminal/driver.ts",
      "src/terminal/deframe.ts",
      "src/terminal/one-job.ts",
      "src/terminal/acknowledged-line.ts",
      "src/card",
      "src/emv",
      "src/kit",
      "drivers/vipa",
      "src/simulator",
      "packages/sandbox/testbed",
    ],
  },
};

export const longestFirst = Object.keys(ARROWS).sort((a, b) => b.length - a.length);

const PATTERNS = longestFirst.map((row) => ({ row, pattern: patternOf(row) }));

/**
 * The row of ARROWS for a file; undefined for main, agent and the commands: import-overrides.ts says what they may not
 * import.
 */
export function rowOf(path: string): string | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.row;
}

function patternOf(row: string): RegExp {
  const text = row.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
  return new RegExp(row.endsWith(".ts") ? `^${text}$` : `^${text}/.`);
}

/** The room of a file, which may always import itself: src/FOLDER, drivers/MODEL, packages/PACKAGE/FOLDER. */
export function roomOf(path: string): string {
  return path
    .split("/")
    .slice(0, path.startsWith("packages/") ? 3 : 2)
    .join("/");
}

/** Imports that go against the arrows, as "file imports what". */
export function wrongArrows(file: SourceFile, imports: readonly Import[]): readonly string[] {
  const row = rowOf(file.path);
  const arrow = row === undefined ? undefined : ARROWS[row];
  if (arrow === undefined) return [];
  const own = roomOf(file.path);
  return imports
    .filter(({ from, typeOnly }) => {
      const allowed = [own, ...arrow.may, ...(typeOnly ? (arrow.types ?? []) : [])];
      return !allowed.some(
        (target) =>
          from === target ||
          (target.includes("*")
            ? patternOf(target).test(from)
            : from.startsWith(target.endsWith(":") ? target : `${target}/`)),
      );
    })
    .map(({ from, typeOnly }) => `${file.path} imports ${from}${typeOnly ? " as a type" : ""}`);
}

/** node:sqlite and every package that touches the world: the files that may import it. */
const ONE_PLACE: Readonly<Record<string, RegExp>> = {
  "@peculiar/asn1-schema": /^src\/certificates\/x509\.ts$/,
  "@peculiar/asn1-x509": /^src\/certificates\/x509\.ts$/,
  "node:sqlite":
    /^(src\/(journal\/|register\/tokens\/token-database\.ts$)|packages\/sandbox\/gateway\/ledger\/store\.ts$)/,
  "csv-parse/sync": /^src\/reconcile\/reconciliation-file\.ts$/,
  commander: /^src\/commands\//,
  croner: /^packages\/sandbox\/gateway\/jobs\/quartz\.ts$/,
  fastify: /^src\/(http\/server|simulator\/control)\.ts$/,
  preact: /^src\/web\//,
  pino: /^src\/observe\/log\.ts$/,
  "pino-pretty": /^src\/observe\/log\.ts$/,
  "prom-client": /^src\/observe\/figures\.ts$/,
  serialport: /^src\/transport\/serial\.ts$/,
  uqr: /^src\/kit\/qr\.ts$/,
  usb: /^src\/transport\/usb-bus\.ts$/,
  undici: /^src\/gateway\/https\.ts$/,
  ws: /^src\/(register\/rpc\/socket|client\/wire-socket|transport\/websocket|simulator\/websocket-listener)\.ts$/,
  yaml: /^src\/config\/yaml-source\.ts$/,
};

/** Imports of what one place alone may import. */
export function wrongPlaces(file: SourceFile, imports: readonly Import[]): readonly string[] {
  return imports
    .filter(({ from }) => ONE_PLACE[from]?.test(file.path) === false)
    .map(({ from }) => `${file.path} imports ${from}`);
}

/** Wings of the payment machine, the upper ones first. */
const PAYMENT_WINGS = [
  "machine",
  "outcome",
  "operator",
  "follow-up",
  "admission",
  "link",
  "card",
  "stored-card",
  "state",
  "recovery",
  "attempt",
  "fact",
];

/** Imports between wings of the payment machine that run upwards. */
export function upwards(file: SourceFile, imports: readonly Import[]): readonly string[] {
  const at = levelOfWing(file.path);
  return imports.filter(({ from }) => levelOfWing(from) < at).map(({ from }) => `${file.path} imports ${from}`);
}

/** Of a file that stands in no wing: as high as anything. */
function levelOfWing(path: string): number {
  const wing = /^src\/payment\/([^/]+)\//.exec(path)?.[1];
  return wing === undefined ? PAYMENT_WINGS.length : PAYMENT_WINGS.indexOf(wing);
}
