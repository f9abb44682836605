import type { Secret } from "../kit/secret.ts";

export type Environment = "test" | "live";
export type LogLevel = "debug" | "info" | "warn" | "error";
export type Settlement = "dual" | "single";
/** Brands (src/emv/brand.ts) whose cards are taken otherwise. */
export type SettlementByBrand = Readonly<Record<string, Settlement>>;

/** A certificate (with those that lead from it to a known authority) and its private key, both in PEM form. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: Secret<string>;
}

/** How long an answer of the gateway is waited for, by what was asked, in milliseconds; `timeouts.hostAnswerMs` where nothing is said. */
export interface TimeLimits {
  readonly queryMs?: number;
  readonly captureMs?: number;
  readonly reversalMs?: number;
  readonly refundMs?: number;
  readonly registrationMs?: number;
}

/** Where the gateway's notifications are heard (docs/gateway.md, "Webhooks"). */
export interface WebhookSettings {
  readonly listen: { readonly host: string; readonly port: number; readonly tls?: TlsIdentity };
  readonly path: string;
  /** 64 hexadecimal digits. */
  readonly key: Secret<string>;
}

/** How a terminal is connected, as the configuration says it. */
export type Connection =
  | { readonly kind: "serial"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "websocket"; readonly host: string; readonly port: number }
  | { readonly kind: "usb"; readonly vendorId: number; readonly productId: number; readonly serialNumber?: string };

export interface TerminalSettings {
  readonly id: string;
  readonly model: string;
  readonly connection: Connection;
  /** What is set differently from the usual for this model (its driver's options). */
  readonly options: Readonly<Record<string, string>>;
  /** pos.terminalId, digits, from the acquirer. */
  readonly terminalId: string;
  readonly deviceType?: string;
  readonly deviceId?: string;
  /** The terminal's own, or the gateway's. */
  readonly entityId: string;
  /** Written for this terminal, not taken from the gateway: stays when the gateway's changes. */
  readonly hasOwnEntity?: true;
  /** The terminal's own, or the gateway's. */
  readonly settlement: Settlement;
  readonly settlementByBrand: SettlementByBrand;
  readonly location?: { readonly latitude: string; readonly longitude: string; readonly accuracy?: string };
}

export interface Timeouts {
  readonly cardMs: number;
  readonly pinMs: number;
  readonly hostAnswerMs: number;
  readonly removalMs: number;
  readonly unknownWindowMs: number;
}

/** A configuration that was checked whole: every path absolute, every default filled in. */
export interface Configuration {
  /** Where it stands, absolute. */
  readonly file: string;
  readonly environment: Environment;
  readonly listen: {
    readonly host: string;
    readonly port: number;
    /** By which registers ask for it; absent: the machine's own. */
    readonly names?: readonly string[];
    readonly tls?: TlsIdentity;
  };
  readonly dataDir: string;
  readonly merchant: {
    readonly name: string;
    readonly address: readonly string[];
    readonly vatId: string;
    readonly country: string;
    readonly language: string;
  };
  readonly gateway: {
    readonly baseUrl: string;
    /** Where this same gateway was before. */
    readonly formerBaseUrls: readonly string[];
    readonly entityId: string;
    readonly accessToken: Secret<string>;
    readonly testMode?: "INTERNAL" | "EXTERNAL";
    readonly settlement: Settlement;
    readonly settlementByBrand: SettlementByBrand;
    /** How many captures the channel takes of one preauthorization (gateway-facts 9). */
    readonly captures: "several" | "one";
    /** An authority to trust instead of the platform's, in PEM form. */
    readonly ca?: string;
    /** What the bridge shows the gateway, where that wants to see one. */
    readonly clientCertificate?: TlsIdentity;
    readonly timeLimits: TimeLimits;
  };
  readonly terminals: readonly TerminalSettings[];
  readonly timeouts: Timeouts;
  readonly fallback: { readonly allowed: boolean; readonly chipTries: number; readonly withinMs: number };
  readonly origins: readonly string[];
  readonly journal: { readonly archiveAfterDays: number };
  /** `file` absent: stdout. */
  readonly log: { readonly file?: string; readonly maxBytes: number; readonly keep: number; readonly level: LogLevel };
  /** Absent: no webhooks are heard. */
  readonly webhooks?: WebhookSettings;
  /** Absent: no traces are sent. */
  readonly telemetry?: { readonly otlpEndpoint: string /** As `name=value,name=value`. */; readonly headers?: Secret<string> };
}
