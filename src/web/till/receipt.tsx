import { useEffect, useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import { CallRefused } from "../../client/errors.ts";
import type { PaymentView } from "../../payment/view-schema.ts";

type Copy = "customer" | "merchant";

/** The bridge's receipt, on screen, on paper, and as text to copy. */
export function Receipt({
  payment,
  client,
}: {
  readonly payment: PaymentView;
  readonly client: RegisterClient | undefined;
}) {
  const isToSign = payment.prompt?.code === "SIGN";
  const [chosen, choose] = useState<Copy>();
  const copy = chosen ?? (isToSign ? "merchant" : "customer");
  const [text, setText] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const { id, updatedAt } = payment;
  useEffect(() => {
    let isWanted = true;
    client?.receipt({ id }, { copy, format: "text" }).then(
      (receipt) => {
        if (!isWanted) return;
        setTrouble(undefined);
        setText(typeof receipt === "string" ? receipt : receipt.text);
      },
      // After a lost connection the new client is asked again.
      (error: unknown) => isWanted && error instanceof CallRefused && setTrouble(error.message),
    );
    return () => {
      isWanted = false;
    };
  }, [client, id, copy, updatedAt]);
  return (
    <section class="receipt card" aria-label="Receipt">
      <div class="row no-print">
        <h2>Receipt</h2>
        <CopyChoice copy={copy} onCopy={choose} />
      </div>
      {trouble !== undefined && <p>{trouble}</p>}
      {text !== undefined && (
        <>
          <pre class="receipt-paper">{text}</pre>
          <ReceiptUses text={text} />
        </>
      )}
    </section>
  );
}

function CopyChoice({ copy, onCopy }: { readonly copy: Copy; readonly onCopy: (copy: Copy) => void }) {
  return (
    <fieldset class="kinds copies">
      <legend class="for-readers">Whose copy</legend>
      {(["customer", "merchant"] as const).map((each) => (
        <label key={each} class="kind">
          <input type="radio" name="copy" checked={copy === each} onChange={() => onCopy(each)} />
          <span>{each === "customer" ? "Customer" : "Merchant"}</span>
        </label>
      ))}
    </fieldset>
  );
}

function ReceiptUses({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState("");
  const toClipboard = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied("Copied.");
    } catch {
      setCopied("This browser does not let the page copy: mark the text and copy it by hand.");
    }
  };
  return (
    <div class="row no-print">
      <button type="button" onClick={() => window.print()}>
        Print
      </button>
      <button type="button" onClick={() => void toClipboard()}>
        Copy as text
      </button>
      <span role="status" class="small soft">
        {copied}
      </span>
    </div>
  );
}
