import type { Secret } from "../kit/secret.ts";

export type Environment = "test" | "live";
export type LogLevel = "debug" | "info" | "warn" | "error";
export type Settlement = "dual" | "single";
/** Brands (src/emv/brand.ts) with a settlement of their own. */
export type SettlementByBrand = Readonly<Record<string, Settlement>>;

/** A certificate (with its chain to a known authority) and its private key, both in PEM form. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: Secret<string>;
}

/** Time limits for the gateway's answers by type of request, in milliseconds; default: `timeouts.hostAnswerMs`. */
export interface TimeLimits {
  readonly queryMs?: number;
  readonly captureMs?: number;
  readonly reversalMs?: number;
  readonly refundMs?: number;
  readonly registrationMs?: number;
}

/** The listener for the gateway's notifications (docs/gateway.md, "Webhooks"). */
export interface WebhookSettings {
  readonly listen: { readonly host: string; readonly port: number; readonly tls?: TlsIdentity };
  readonly path: string;
  /** 64 hexadecimal digits. */
  readonly key: Secret<string>;
}

/** A terminal's connection as configured. */
export type Connection =
  | { readonly kind: "serial"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "websocket"; readonly host: string; readonly port: number }
  | { readonly kind: "usb"; readonly vendorId: number; readonly productId: number; readonly serialNumber?: string };

export interface TerminalSettings {
  readonly id: string;
  readonly model: string;
  readonly connection: Connection;
  /** Options that differ from the defaults of the model's driver. */
  readonly options: Readonly<Record<string, string>>;
  /** pos.terminalId, digits, from the acquirer. */
  readonly terminalId: string;
  readonly deviceType?: string;
  readonly deviceId?: string;
  /** The terminal's own, or the gateway's. */
  readonly entityId: string;
  /** `entityId` is the terminal's own; it stays when the gateway's changes. */
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

/** A fully checked configuration: every path absolute, every default filled in. */
export interface Configuration {
  /** Absolute path of the file. */
  readonly file: string;
  readonly environment: Environment;
  readonly listen: {
    readonly host: string;
    readonly port: number;
    /** Names by which registers address the bridge; absent: the machine's own. */
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
    /** Earlier addresses of this same gateway. */
    readonly formerBaseUrls: readonly string[];
    readonly entityId: string;
    readonly accessToken: Secret<string>;
    readonly testMode?: "INTERNAL" | "EXTERNAL";
    readonly settlement: Settlement;
    readonly settlementByBrand: SettlementByBrand;
    /** Captures that the channel allows for one preauthorization (gateway-facts 9). */
    readonly captures: "several" | "one";
    /** An authority that replaces the platform's, in PEM form. */
    readonly ca?: string;
    /** The bridge's certificate, for a gateway that asks for one. */
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
  /** Absent: webhooks are off. */
  readonly webhooks?: WebhookSettings;
  /** Absent: no traces are sent. */
  readonly telemetry?: {
    readonly otlpEndpoint: string /** The form `name=value,name=value`. */;
    readonly headers?: Secret<string>;
  };
}
