import { useState } from "preact/hooks";
import type { PaymentView } from "../../payment/view-schema.ts";
import { useSession } from "./console-session.ts";
import { Scrolling, TroubleNotice } from "./parts.tsx";
import { useAction } from "./use-load.ts";

type Copy = "customer" | "merchant";

/** A payment's receipt, as printed or to be printed. */
export function Receipt({ payment: { id } }: { readonly payment: PaymentView }) {
  const { client } = useSession();
  const [copy, setCopy] = useState<Copy>("merchant");
  const receipt = useAction<string>();
  const show = (wanted: Copy): void => {
    setCopy(wanted);
    if (client === undefined) return;
    receipt.run(async () => {
      const told = await client.receipt({ id }, { copy: wanted, format: "text" });
      return typeof told === "string" ? told : told.text;
    });
  };
  return (
    <section class="card stack">
      <div class="row spread">
        <h2>Receipt</h2>
        <div class="row">
          {(["merchant", "customer"] as const).map((one) => (
            <button
              key={one}
              type="button"
              disabled={client === undefined || receipt.isBusy}
              aria-pressed={receipt.done !== undefined && copy === one}
              onClick={() => show(one)}
            >
              {one === "merchant" ? "Merchant's copy" : "Customer's copy"}
            </button>
          ))}
        </div>
      </div>
      <TroubleNotice trouble={receipt.trouble} />
      {receipt.done !== undefined && (
        <Scrolling class="receipt" name={`Receipt, ${copy}'s copy`}>
          <pre>{receipt.done}</pre>
        </Scrolling>
      )}
    </section>
  );
}
