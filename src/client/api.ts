/* Written by `npm run client-types` from the schemas of the bridge. */

export interface PaymentView {
  id: string;
  reference: string;
  type: "SALE" | "PREAUTHORIZATION" | "REFUND" | "REGISTRATION" | "CAPTURE" | "VOID" | "LINKED_REFUND" | "INCREMENT";
  register: string;
  terminal: string;
  registration?: string | undefined;
  cashier?: string | undefined;
  order?: string | undefined;
  amount?: string | undefined;
  currency: string;
  tip?: string | undefined;
  approvedAmount?: string | undefined;
  capturedAmount?: string | undefined;
  refundedAmount?: string | undefined;
  environment: "test" | "live";
  state: "CREATED" | "QUEUED" | "AWAITING_CARD" | "AUTHORIZING" | "COMPLETING" | "RESOLVING" | "REVERSING" | "FINAL";
  decision?: "approved" | "not-approved" | undefined;
  outcome?: "APPROVED" | "PARTIALLY_APPROVED" | "DECLINED" | "CANCELLED" | "FAILED" | undefined;
  reason?:
    | {
        code: string;
        message: string;
        advice:
          | "retry"
          | "other-card"
          | "use-chip"
          | "wait"
          | "retry-later"
          | "do-not-retry"
          | "refund"
          | "call-support";
      }
    | undefined;
  prompt?: { code: string; text: string; removeCard?: true | undefined } | undefined;
  link?: { url: string; qr?: string | undefined; validUntil: string } | undefined;
  capture?: "pending" | "captured" | "failed" | undefined;
  review?: boolean | undefined;
  held?: boolean | undefined;
  lateBooking?: boolean | undefined;
  voidedBy?: string | undefined;
  of?: string | undefined;
  card?:
    | {
        brand: string;
        bin?: string | undefined;
        last4?: string | undefined;
        entryMode: "MANUAL" | "MAGSTRIPE" | "MAGSTRIPE_AS_FALLBACK" | "ICC" | "NFC_ICC" | "NFC_MAGSTRIPE";
        applicationLabel?: string | undefined;
        cvm?: string | undefined;
      }
    | undefined;
  authorization?:
    | {
        code?: string | undefined;
        responseCode?: string | undefined;
        rrn?: string | undefined;
        merchantId?: string | undefined;
        terminalId: string;
        sequenceNumber: string;
      }
    | undefined;
  gateway?:
    | {
        id?: string | undefined;
        resultCode?: string | undefined;
        resultDescription?: string | undefined;
        registrationId?: string | undefined;
        initialTransactionId?: string | undefined;
        agreementId?: string | undefined;
        attempts: {
          merchantTransactionId: string;
          id?: string | undefined;
          paymentType: string;
          amount?: string | undefined;
          resultCode?: string | undefined;
        }[];
      }
    | undefined;
  emv?:
    | {
        aid: string;
        applicationLabel?: string | undefined;
        tvr?: string | undefined;
        tsi?: string | undefined;
        cryptogram?: string | undefined;
        cryptogramType?: "ARQC" | "TC" | "AAC" | undefined;
        arc?: string | undefined;
      }
    | undefined;
  createdAt: string;
  updatedAt: string;
}

export interface Terminal {
  id: string;
  model: string;
  state: "ready" | "busy" | "offline" | "out-of-service";
  reason?: string | undefined;
  serialNumber?: string | undefined;
  firmware?: string | undefined;
  connection: string;
  capabilities: string[];
  payment?: string | undefined;
  queue: number;
  label?: string | undefined;
  paired: boolean;
  replaced?: true | undefined;
}

export interface Receipt {
  copy: "merchant" | "customer";
  lines: { key: string; label: string; value: string }[];
  text: string;
}

export interface WireError {
  code: number;
  message: string;
  data: {
    code: string;
    message: string;
    advice: "retry" | "fix-request" | "fix-config" | "call-support";
    path?: string | undefined;
    reference?: string | undefined;
    register?: string | undefined;
    per?: "payment" | "day" | undefined;
    limit?: string | undefined;
    left?: string | undefined;
  };
}

export interface Hello {
  bridge: { name: string; version: string; id: string };
  environment: "test" | "live";
  api: { min: number; max: number };
  nonce: string;
  key: string;
}

export interface Change {
  cursor: string;
  payment: PaymentView;
}

export interface Opened {
  register: string;
  scopes: string[];
  cursor: string;
}

export interface Started {
  payment: PaymentView;
  created: boolean;
  warnings: string[];
}

export interface Cancelled {
  cancellation: "accepted" | "too-late" | "already-final";
  payment: PaymentView;
}

export interface Deleted {
  registration: string;
  reference: string;
  deletion: "deleted" | "already-deleted" | "unknown";
}

export interface PaymentPage {
  payments: PaymentView[];
  next?: string | undefined;
}

export interface Receipts {
  receipt: string | Receipt;
}

export interface Totals {
  rows: {
    terminal: string;
    type: "SALE" | "PREAUTHORIZATION" | "REFUND" | "REGISTRATION" | "CAPTURE" | "VOID" | "LINKED_REFUND" | "INCREMENT";
    brand: string;
    currency: string;
    count: number;
    amount: string;
  }[];
}

export interface Scanned {
  devices: {
    connection: {
      serial?: string | undefined;
      tcp?: string | undefined;
      websocket?: string | undefined;
      usb?: { vendorId: number; productId: number; serialNumber?: string | undefined } | undefined;
    };
    name: string;
    serialNumber?: string | undefined;
    model?: string | undefined;
    likely: { model: string; title: string; why: string }[];
    usedBy?: string | undefined;
    problem?: string | undefined;
  }[];
}

export interface Models {
  models: {
    id: string;
    title: string;
    connections: ("serial" | "tcp" | "usb" | "websocket")[];
    options: { name: string; meaning: string; usual: string }[];
  }[];
}

export interface Paired {
  terminal: Terminal;
  warnings: string[];
}

export interface PairParams {
  readonly id: string;
  readonly model: string;
  readonly connection: {
    readonly serial?: string | undefined;
    readonly tcp?: string | undefined;
    readonly websocket?: string | undefined;
    readonly usb?:
      | { readonly vendorId: number; readonly productId: number; readonly serialNumber?: string | undefined }
      | undefined;
  };
  readonly terminalId: string;
  readonly label?: string | undefined;
  readonly entityId?: string | undefined;
  readonly location?:
    | { readonly latitude: string; readonly longitude: string; readonly accuracy?: string | undefined }
    | undefined;
  readonly options?: { readonly [name: string]: string } | undefined;
  readonly deviceType?: string | undefined;
  readonly deviceId?: string | undefined;
}

export interface ReplaceParams {
  readonly terminal: string;
  readonly model?: string | undefined;
  readonly connection?:
    | {
        readonly serial?: string | undefined;
        readonly tcp?: string | undefined;
        readonly websocket?: string | undefined;
        readonly usb?:
          | { readonly vendorId: number; readonly productId: number; readonly serialNumber?: string | undefined }
          | undefined;
      }
    | undefined;
  readonly terminalId?: string | undefined;
  readonly options?: { readonly [name: string]: string } | undefined;
  readonly deviceType?: string | undefined;
  readonly deviceId?: string | undefined;
}
