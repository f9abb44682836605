import type { DeviceNode } from "../kit/device-node.ts";
import type { Owner } from "../kit/foreign-owner.ts";

/** The reason, in one line, why something could not be examined. */
export interface NotSeen {
  readonly problem: string;
}

export function isSeen<T extends object>(found: T | NotSeen): found is T {
  return !("problem" in found);
}

/** Whether anything answered at the gateway's address, and the time by its clock. */
export interface GatewayFound {
  readonly address: string;
  readonly answered: boolean;
  /** Why nothing answered. */
  readonly detail?: string;
  readonly tookMs: number;
  /** The gateway's clock minus this machine's, milliseconds; absent: it sent no time. */
  readonly clockAheadMs?: number;
}

/**
 * The gateway's answer to a query for a payment that does not exist:
 * - `let-in`;
 * - `not-let-in`: token, key or address refused;
 * - `not-asked`: the query limit left no turn.
 */
export interface CredentialsFound {
  readonly is: "let-in" | "not-let-in" | "refused" | "no-answer" | "throttled" | "not-asked";
  readonly resultCode?: string;
  readonly detail?: string;
}

export interface TerminalFound {
  readonly id: string;
  readonly model: string;
  readonly state: "ready" | "busy" | "offline" | "out-of-service";
  readonly reason?: string;
}

/** A device configured for a terminal, or plugged in and possibly one. */
export interface DeviceFound {
  readonly kind: "serial" | "usb";
  /** Absent: plugged in, but no terminal is configured for it. */
  readonly terminal?: string;
  /** As in the configuration, or as people call the device. */
  readonly name: string;
  readonly isHere: boolean;
  /** Absent on systems without device nodes (Windows), and if no device is there. */
  readonly node?: DeviceNode;
  /** A lasting name; the configured one may change. */
  readonly stableName?: string;
  /** Running programs that may seize the device: ModemManager, brltty. */
  readonly takers: readonly string[];
  /** Whether this project's udev rules are installed. */
  readonly hasRules: boolean;
}

/** A terminal in the network, tried by a command while no bridge runs. */
export interface AddressFound {
  readonly terminal: string;
  readonly address: string;
  readonly answered: boolean;
  readonly detail?: string;
}

/**
 * Access to the data folder by owner and mode, or by access lists (Windows), where a closed folder has no `openTo`.
 * `untold`: why access is unknown.
 */
export type FolderFound =
  | { readonly path: string; readonly owner: Owner; readonly user: number; readonly mode: number }
  | { readonly path: string; readonly openTo: string; readonly close: string }
  | { readonly path: string; readonly untold: string }
  | { readonly path: string }
  | { readonly path: string; readonly missing: true }
  | NotSeen;

/** The journal of a running bridge, or as it is on disk. */
export type JournalFound =
  | {
      /** Why it cannot be written, including its witness; absent: a test write succeeded. */
      readonly writeProblem?: string;
      readonly bytes: number | undefined;
      readonly facts: number;
      readonly rolledBack: boolean;
    }
  | { readonly atRest: "none" }
  | {
      readonly atRest: "sound";
      readonly bytes: number | undefined;
      readonly facts: number;
      readonly open: number;
      readonly rolledBack: boolean;
    }
  | { readonly atRest: "refused"; readonly problem: string };

/** A port: in use by this bridge, or tried while none runs. */
export interface PortFound {
  readonly host: string;
  readonly port: number;
  readonly tls?: CertificateFound;
  /** Absent: this bridge listens there. */
  readonly atRest?: "free" | "taken" | "no-permission" | "no-address";
  /** The bridge that uses the port, with the reasons why it is not ready; no reasons: ready. */
  readonly servedBy?: { readonly reasons: readonly string[] };
}

/** Everything observed of bridge and machine; the only input of the judgements (judge.ts). */
export interface Findings {
  readonly environment: "test" | "live";
  readonly runtime: { readonly version: string; readonly problem?: string; readonly addonProblem?: string };
  readonly folder: FolderFound;
  readonly journal: JournalFound;
  readonly disk: { readonly freeBytes: number; readonly allBytes: number } | NotSeen;
  readonly gateway: GatewayFound;
  readonly credentials: CredentialsFound;
  readonly terminals: readonly TerminalFound[];
  readonly devices: readonly DeviceFound[];
  readonly port: PortFound;
  readonly authority: AuthorityFound;
  readonly log: { readonly linesLost: number };
  /** Changed configuration keys that take effect at the next start. */
  readonly reload: { readonly needsRestart: readonly string[] };
}

/** A command's own observations beside the bridge's report. */
export interface OutsideFindings {
  /** The configuration's place and problems. */
  readonly configuration:
    | { readonly is: "sound"; readonly file: string }
    | {
        readonly is: "wrong";
        readonly file: string;
        readonly problems: readonly { readonly where: string; readonly problem: string; readonly mend: string }[];
      }
    | { readonly is: "absent"; readonly places: readonly string[] };
  /** `silent`: the control socket is held but does not answer. `hidden`: this user may not examine the folder. */
  readonly bridge:
    | { readonly is: "running"; readonly pid: number; readonly version: string; readonly own: string }
    | { readonly is: "none" }
    | { readonly is: "silent"; readonly problem: string }
    | { readonly is: "hidden"; readonly dataDir: string; readonly owner?: Owner };
  readonly user: { readonly isRoot: boolean; readonly owner?: Owner };
  readonly addresses: readonly AddressFound[];
  readonly webhookPort: PortFound;
  /** The clock if no gateway answers. `synchronized`: by NTP, as the system reports. */
  readonly time: { readonly now: number; readonly synchronized?: boolean };
}

/** A listener's certificate. Epoch milliseconds. */
export interface CertificateFound {
  readonly validFrom: number;
  readonly validTo: number;
  readonly now: number;
  /** Names by which registers may ask, and which the certificate does not cover; absent: none. */
  readonly unnamed?: readonly string[];
}

/** The certificate authority of this machine, if it has one. */
export type AuthorityFound =
  | { readonly is: "none" }
  | { readonly is: "refused"; readonly problem: string }
  | { readonly is: "sound"; readonly subject: string; readonly validTo: number; readonly now: number };
