import { Command } from "commander";
import type { CertificateBook } from "../certificates/book.ts";
import type { CertificateListing } from "../control/certificate-methods.ts";
import type { ControlReply } from "../control/methods.ts";
import { certificateLines, type MadeCertificates } from "./certificates-text.ts";
import { type DataFolderOptions, dataFolderOf, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { journalProblem } from "./journal-problem.ts";
import { operator } from "./operator.ts";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
Tills on other machines reach the bridge by wss:// alone. This machine becomes a certificate authority for that: its key
never leaves the data folder, and it can certify the given names and networks only. The bridge's own certificate lasts
120 days, and a running bridge renews it by itself. Other tills trust the authority's certificate (authority.crt).

Without --name: listen.names of the configuration, else the name and the addresses of this machine. --network allows
later addresses: name it if this machine gets its address from a router.

Example:
  posbridge certificates create --name bridge.shop.example --name 192.168.1.20 --config ./posbridge.yaml
  posbridge certificates create --name 192.168.1.20 --network 192.168.1.0/24 --config ./posbridge.yaml
  posbridge certificates list --config ./posbridge.yaml
  posbridge certificates print --config ./posbridge.yaml > posbridge-authority.crt`;

interface Where extends DataFolderOptions {
  readonly json?: true;
}

interface CreateOptions extends Where {
  readonly name?: readonly string[];
  readonly network?: readonly string[];
  readonly replace?: true;
}

/** `certificates create | list | print`: the certificate authority of this machine. */
export function certificatesCommand(output: Output): Command {
  const command = new Command("certificates")
    .description("certificates for tills on other machines (wss://), by an authority of this machine")
    .addHelpText("after", EXAMPLE);
  withDataFolder(command.command("create"))
    .description("make the authority, unless there is one, and the bridge's certificate")
    .option("--name <name...>", "a host name or address by which tills ask for the bridge")
    .option("--network <network...>", "a private network in which later addresses of the bridge lie: address/prefix")
    .option("--replace", "make a new authority although there is one: every till has to trust the new one")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((options: CreateOptions) => createCertificates(options, output));
  withDataFolder(command.command("list"))
    .description("list the authority and the bridge's certificate, with names, end and fingerprint")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((where: Where) => listCertificates(where, output));
  withDataFolder(command.command("print"))
    .description("print the authority's certificate, which other tills trust")
    .addHelpText("after", EXAMPLE)
    .action((where: Where) => printAuthority(where, output));
  return command;
}

async function createCertificates(
  { json, name, network: networks = [], replace, ...where }: CreateOptions,
  output: Output,
): Promise<void> {
  const { findDataFolder, prepareDataFolder } = await import("../journal/data-folder.ts");
  const dataDir = await dataFolderOf(where, output);
  // The certificate may be made before the daemon's first start. A folder without a configuration may be mistyped.
  await inFolder(() => (where.config === undefined ? findDataFolder(dataDir) : prepareDataFolder(dataDir)));
  const hosts = name ?? (await ownNames(where, dataDir));
  const { parseReach } = await import("../certificates/reach.ts");
  const reading = parseReach(hosts, networks);
  if (!reading.ok) throw new UsageProblem(reading.problem);
  const wanted = { hosts, networks, replace: replace === true, by: await operator() };
  const reply = await change(dataDir, wanted);
  if (!reply.ok) throw new OperationFailed(reply.message);
  if (json === true) return output.out(JSON.stringify(reply.value, null, 2));
  const isNamed = await isConfigured(where, reply.value);
  for (const line of certificateLines(reply.value, { isNamed, hosts })) output.out(line);
}

async function listCertificates({ json, ...where }: Where, output: Output): Promise<void> {
  const read = (await bookOf(where, output)).list();
  if (!read.ok) throw new OperationFailed(read.message);
  if (json === true) return output.out(JSON.stringify({ certificates: read.value }, null, 2));
  for (const line of tableLines(["CERTIFICATE", "NAMES", "VALID UNTIL", "SHA-256", "FILE"], read.value.map(rowOf)))
    output.out(line);
}

function rowOf({ is, names, validTo, fingerprint, file }: CertificateListing): readonly string[] {
  return [is, names.join(" "), validTo.slice(0, 10), fingerprint, file];
}

async function printAuthority(where: Where, output: Output): Promise<void> {
  const read = (await bookOf(where, output)).print();
  if (!read.ok) throw new OperationFailed(read.message);
  output.out(read.value.trimEnd());
}

/** Reading needs neither the daemon nor the lock. */
async function bookOf(where: Where, output: Output): Promise<CertificateBook> {
  return openBook(await foundDataFolderOf(where, output));
}

async function openBook(dataDir: string): Promise<CertificateBook> {
  const { certificatesIn } = await import("../agent/certificate-store.ts");
  return certificatesIn(dataDir).book();
}

/** Names by which registers may ask for the bridge: of the configuration, the present certificate, or this machine. */
async function ownNames({ config }: Where, dataDir: string): Promise<readonly string[]> {
  const [{ loadListening }, { isLoopback }, { servedNames }, { systemMachineNames }] = await Promise.all([
    import("../config/load.ts"),
    import("../kit/loopback.ts"),
    import("../kit/served-names.ts"),
    import("../kit/system-machine-names.ts"),
  ]);
  const listening = config === undefined ? undefined : loadListening(config);
  const names = listening?.names ?? (await certifiedNames(dataDir));
  // A listener of this machine alone is opened to others once it has the certificate.
  const host = listening === undefined || isLoopback(listening.host) ? "::" : listening.host;
  return servedNames({ host, ...(names && { names }) }, systemMachineNames()).filter((name) => !isLoopback(name));
}

async function certifiedNames(dataDir: string): Promise<readonly string[] | undefined> {
  const read = (await openBook(dataDir)).list();
  return read.ok ? read.value.find(({ is }) => is === "bridge")?.names : undefined;
}

async function isConfigured({ config }: Where, { bridge }: MadeCertificates): Promise<boolean> {
  if (config === undefined) return false;
  const { loadNamedFiles } = await import("../config/load.ts");
  return loadNamedFiles(config).some(({ key, path }) => key === "listen.tls.cert" && path === bridge.file);
}

type Wanted = Parameters<import("../control/certificates.ts").CertificateHandlers["certificates.create"]>[0];

/** Through the daemon if one runs; else here under the folder's lock, so that two processes never write. */
async function change(dataDir: string, wanted: Wanted): Promise<ControlReply<MadeCertificates>> {
  const [{ askDaemon }, { ControlFailed }, { certificatesCreate }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/certificate-methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const failed = (cause: unknown): never => {
    throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
  };
  const asked = await askDaemon({ dataDir, clock: systemClock }, certificatesCreate, wanted).catch(failed);
  if (asked.is === "answered") return asked.reply;
  const [{ prepareDataFolder }, { lockDataFolder }, { certificateHandlers }] = await Promise.all([
    import("../journal/data-folder.ts"),
    import("../journal/lock.ts"),
    import("../control/certificates.ts"),
  ]);
  const lock = await inFolder(() => lockDataFolder(prepareDataFolder(dataDir)));
  try {
    const handlers = certificateHandlers(
      () => openBook(dataDir),
      async () => false,
    );
    return await handlers["certificates.create"](wanted).catch(failed);
  } finally {
    lock.release();
  }
}

async function inFolder<T>(run: () => T): Promise<T> {
  const { JournalRefused } = await import("../journal/refusal.ts");
  try {
    return run();
  } catch (cause) {
    throw cause instanceof JournalRefused && cause.problem === "unreadable"
      ? new OperationFailed(cause.message)
      : journalProblem(cause);
  }
}
