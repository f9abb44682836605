import { type Granted, granted, refused } from "../../payment/request.ts";
import type { AnyPaymentKey } from "../../register/ports.ts";
import type { Journal, PaymentRow } from "../ports.ts";

interface NamingPorts {
  readonly journal: Pick<Journal, "byReferenceOfAny" | "list">;
}

/** The payment with this key, of any register. If several registers use the reference, the open one. */
export async function paymentNamed(ports: NamingPorts, key: AnyPaymentKey): Promise<Granted<PaymentRow>> {
  return "id" in key ? paymentOfId(ports, key.id) : paymentOfReference(ports, key);
}

async function paymentOfId({ journal }: NamingPorts, id: string): Promise<Granted<PaymentRow>> {
  const [row] = (await journal.list({ payment: id, limit: 1 })).rows;
  return row === undefined ? refused("not-found", `no payment has the id "${id}"`, "fix-request", "id") : granted(row);
}

async function paymentOfReference(
  { journal }: NamingPorts,
  { reference, register }: { readonly reference: string; readonly register?: string },
): Promise<Granted<PaymentRow>> {
  const rows = (await journal.byReferenceOfAny(reference)).filter(
    (row) => register === undefined || row.register === register,
  );
  const [row, other] = rows.length > 1 ? rows.filter(({ open }) => open) : rows;
  if (other !== undefined)
    return refused(
      "not-allowed",
      `several registers have an open "${reference}": name its register (--register)`,
      "fix-request",
      "register",
    );
  if (row !== undefined) return granted(row);
  const whose = register === undefined ? "" : ` of register "${register}"`;
  if (rows.length > 1)
    return refused(
      "not-allowed",
      `reference "${reference}": none of the payments of several registers is open: name its register (--register)`,
      "fix-request",
      "reference",
    );
  return refused("not-found", `no payment has the reference "${reference}"${whose}`, "fix-request", "reference");
}
