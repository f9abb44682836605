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

/** Who may enter the data folder: by owner and mode, or by access lists (Windows), where `openTo` is absent of a closed one. `untold`: why the system does not say. */
export type FolderFound =
  | { readonly path: string; readonly owner: number; readonly user: number; readonly mode: number }
  | { readonly path: string; readonly openTo: string; readonly close: string }
  | { readonly path: string; readonly untold: string }
  | { readonly path: string };

/** What effects saw of the bridge and its machine. Judgements are made of it and of nothing else (judge.ts). */
export interface Findings {
  readonly environment: "test" | "live";
  readonly runtime: { readonly version: string; readonly problem?: string };
  readonly folder: FolderFound | NotSeen;
  readonly journal: {
    /** Why it cannot be written, the witness included; absent: it was written to just now. */
    readonly writeProblem?: string;
    readonly bytes: number | undefined;
    readonly facts: number;
    readonly rolledBack: boolean;
  };
  readonly disk: { readonly freeBytes: number; readonly allBytes: number } | NotSeen;
  readonly gateway: GatewayFound;
  readonly credentials: CredentialsFound;
  readonly terminals: readonly TerminalFound[];
  readonly port: { readonly host: string; readonly port: number; readonly tls?: CertificateFound };
  readonly log: { readonly linesLost: number };
}

/** The certificate that registers are shown. Epoch milliseconds. */
export interface CertificateFound {
  readonly validFrom: number;
  readonly validTo: number;
  readonly now: number;
}
