import { useRef, useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import { systemClock } from "../../kit/system-clock.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { Notice } from "../design/notice.tsx";
import { saleWords } from "./sale-words.ts";

interface SaleProps {
  /** Undefined: no session is open. */
  readonly client: RegisterClient | undefined;
  /** The payment that changed last, of any register. */
  readonly payment: PaymentView | undefined;
  readonly canType: boolean;
}

/** The register: a sale starts here, or at the till in another window. */
export function Sale({ client, payment, canType }: SaleProps) {
  const [problem, setProblem] = useState<string>();
  const doing = (call: Promise<unknown>): void => {
    setProblem(undefined);
    call.catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return (
    <section class="card sale" aria-labelledby="sale-title">
      <h2 id="sale-title">At the register</h2>
      <StartSale
        client={client}
        canType={canType}
        doing={doing}
        isBusy={payment !== undefined && payment.state !== "FINAL"}
      />
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <div class="sale-now" aria-live="polite">
        {payment === undefined ? (
          <p class="soft">No sale yet.</p>
        ) : (
          <Shown payment={payment} client={client} doing={doing} />
        )}
      </div>
    </section>
  );
}

type Doing = (call: Promise<unknown>) => void;

interface StartSaleProps {
  readonly client: RegisterClient | undefined;
  readonly canType: boolean;
  readonly isBusy: boolean;
  readonly doing: Doing;
}

function StartSale({ client, canType, doing, isBusy }: StartSaleProps) {
  const amount = useRef<HTMLInputElement>(null);
  const isStarting = useRef(false);
  // The field itself holds the amount, so a press right after the last digit reads it.
  const start = (more: object): void => {
    if (client === undefined || amount.current === null || isStarting.current) return;
    isStarting.current = true;
    const over = (): void => {
      isStarting.current = false;
    };
    const started = startSale(client, amount.current.value, more);
    started.then(over, over);
    doing(started);
  };
  return (
    <form
      class="sale-start"
      onSubmit={(event) => {
        event.preventDefault();
        start({});
      }}
    >
      <label>
        Amount in EUR
        <input inputMode="decimal" autocomplete="off" ref={amount} defaultValue="12.34" />
      </label>
      <button type="submit" data-kind="main" disabled={client === undefined || isBusy}>
        Start a sale
      </button>
      {canType && (
        <button
          type="button"
          disabled={client === undefined || isBusy}
          onClick={() => start({ entryModes: ["manual"] })}
        >
          Sale, number typed
        </button>
      )}
    </form>
  );
}

/** One reference for each sale: this call is never sent twice, whatever its answer. */
async function startSale(client: RegisterClient, amount: string, more: object): Promise<void> {
  const [terminal] = await client.terminals();
  if (terminal === undefined) throw new Error("The bridge has no terminal.");
  const reference = `screen-${systemClock.now()}`;
  await client.startPayment({
    reference,
    type: "SALE",
    terminal: terminal.id,
    currency: "EUR",
    amount: amount.trim().replace(",", "."),
    ...more,
  });
}

function Shown({
  payment,
  client,
  doing,
}: {
  readonly payment: PaymentView;
  readonly client: RegisterClient | undefined;
  readonly doing: Doing;
}) {
  const { tone, title, text } = saleWords(payment);
  const isOwn = client?.register === payment.register;
  return (
    <div class="outcome" data-tone={tone}>
      <p class="outcome-title">{title}</p>
      <p>{text}</p>
      {isOwn && client !== undefined && payment.state !== "FINAL" && (
        <Answers payment={payment} client={client} doing={doing} />
      )}
      {!isOwn && <p class="soft small">Started by {payment.register}.</p>}
    </div>
  );
}

function Answers({
  payment: { id, prompt, decision },
  client,
  doing,
}: {
  readonly payment: PaymentView;
  readonly client: RegisterClient;
  readonly doing: Doing;
}) {
  if (prompt?.code === "SIGN")
    return (
      <div class="row">
        <button type="button" data-kind="main" onClick={() => doing(client.confirmSignature({ id }, true))}>
          Signature is right
        </button>
        <button type="button" data-kind="danger" onClick={() => doing(client.confirmSignature({ id }, false))}>
          Signature is wrong
        </button>
      </div>
    );
  if (decision !== undefined) return null;
  return (
    <button type="button" onClick={() => doing(client.cancel({ id }))}>
      Cancel the sale
    </button>
  );
}
