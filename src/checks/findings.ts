import type { DeviceNode } from "../kit/device-node.ts";
import type { Owner } from "../kit/foreign-owner.ts";

/** Why something could not be looked at, in one line. */
export interface NotSeen {
  readonly problem: string;
}

export function isSeen<T extends object>(found: T | NotSeen): found is T {
  return !("problem" in found);
}

/** Where the gateway was asked: anything that answered, and when by its own clock. */
export interface GatewayFound {
  readonly address: string;
  readonly answered: boolean;
  /** Why nothing answered. */
  readonly detail?: string;
  readonly tookMs: number;
  /** Its clock less this machine's, milliseconds; absent where it told no time. */
  readonly clockAheadMs?: number;
}

/** What the gateway said to a query for a payment that does not exist: - `let-in`; - `not-let-in`: token, key or address; - `not-asked`: no turn came. */
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

/** A device that is configured for a terminal, or is plugged in and may be one. */
export interface DeviceFound {
  readonly kind: "serial" | "usb";
  /** Absent: it is plugged in, and no terminal is configured at it. */
  readonly terminal?: string;
  /** As the configuration names it, or as a person does. */
  readonly name: string;
  readonly isHere: boolean;
  /** Absent where devices have no nodes (Windows), and where none is here. */
  readonly node?: DeviceNode;
  /** A name that stays the same, where the configured one may change. */
  readonly stableName?: string;
  /** Programs that run on this machine and may take it for something else: ModemManager, brltty. */
  readonly takers: readonly string[];
  /** Whether udev has this project's rules. */
  readonly hasRules: boolean;
}

/** A terminal in the network, where a bridge that does not run tried whether it takes connections. */
export interface AddressFound {
  readonly terminal: string;
  readonly address: string;
  readonly answered: boolean;
  readonly detail?: string;
}

/** Who may enter the data folder: by owner and mode, or by access lists (Windows), where `openTo` is absent of a closed one. `untold`: why the system does not say. */
export type FolderFound =
  | { readonly path: string; readonly owner: Owner; readonly user: number; readonly mode: number }
  | { readonly path: string; readonly openTo: string; readonly close: string }
  | { readonly path: string; readonly untold: string }
  | { readonly path: string }
  | { readonly path: string; readonly missing: true }
  | NotSeen;

/** The journal: of a bridge that runs, or as it lies on disk. */
export type JournalFound =
  | {
      /** Why it cannot be written, the witness included; absent: it was written to just now. */
      readonly writeProblem?: string;
      readonly bytes: number | undefined;
      readonly facts: number;
      readonly rolledBack: boolean;
    }
  | { readonly atRest: "none" }
  | { readonly atRest: "sound"; readonly bytes: number | undefined; readonly facts: number; readonly open: number; readonly rolledBack: boolean }
  | { readonly atRest: "refused"; readonly problem: string };

/** A port: listened on by this bridge, or tried while none runs. */
export interface PortFound {
  readonly host: string;
  readonly port: number;
  readonly tls?: CertificateFound;
  /** Absent: this bridge listens there. */
  readonly atRest?: "free" | "taken" | "no-permission" | "no-address";
  /** A bridge that has taken it, and why it is not ready; none: it sells. */
  readonly servedBy?: { readonly reasons: readonly string[] };
}

/** What effects saw of the bridge and its machine. Judgements are made of it and of nothing else (judge.ts). */
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
  readonly log: { readonly linesLost: number };
  /** Keys of the configuration that were changed and count from the next start on. */
  readonly reload: { readonly needsRestart: readonly string[] };
}

/** What a command sees from outside, beside what the bridge tells of itself. */
export interface OutsideFindings {
  /** Where the configuration is, and what is wrong with it. */
  readonly configuration:
    | { readonly is: "sound"; readonly file: string }
    | { readonly is: "wrong"; readonly file: string; readonly problems: readonly { readonly where: string; readonly problem: string; readonly mend: string }[] }
    | { readonly is: "absent"; readonly places: readonly string[] };
  /** `silent`: something holds the control socket and gives no answer. `hidden`: this user may not look whether one runs. */
  readonly bridge:
    | { readonly is: "running"; readonly pid: number; readonly version: string; readonly own: string }
    | { readonly is: "none" }
    | { readonly is: "silent"; readonly problem: string }
    | { readonly is: "hidden"; readonly dataDir: string; readonly owner?: Owner };
  readonly user: { readonly isRoot: boolean; readonly owner?: Owner };
  readonly addresses: readonly AddressFound[];
  readonly webhookPort: PortFound;
  /** The clock where no gateway can be asked. `synchronized`: by NTP, as the system says it. */
  readonly time: { readonly now: number; readonly synchronized?: boolean };
}

/** The certificate that registers are shown. Epoch milliseconds. */
export interface CertificateFound {
  readonly validFrom: number;
  readonly validTo: number;
  readonly now: number;
}
