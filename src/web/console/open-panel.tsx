import { useState } from "preact/hooks";
import type { PaymentView } from "../../payment/view-schema.ts";
import { Countdown } from "./parts.tsx";
import { ResolveDialog } from "./resolve.tsx";
import type { Timeline } from "./timeline.tsx";

interface OpenPanelProps {
  readonly payment: PaymentView;
  readonly open: NonNullable<Timeline["open"]>;
  readonly onDone: () => void;
}

/** The reason why a payment is open, its next automatic step, and the operator's choices. */
export function OpenPanel({ payment, open, onDone }: OpenPanelProps) {
  const { why, mend, next } = open;
  return (
    <section class="open-panel stack">
      <div>
        <h3>Why it is open</h3>
        <p>{why}</p>
      </div>
      <div>
        <h3>What happens next by itself</h3>
        {next === undefined ? (
          <p>Nothing: a person has to act.</p>
        ) : (
          <p>
            {next.at !== undefined && (
              <strong>
                <Countdown until={next.at} word="In" over="Now" />
                {": "}
              </strong>
            )}
            {next.what}
          </p>
        )}
      </div>
      {mend !== undefined && (
        <div>
          <h3>What you can do</h3>
          <p>{mend}</p>
        </div>
      )}
      <Resolving payment={payment} open={open} onDone={onDone} />
    </section>
  );
}

function Resolving({ payment, open: { resolvable, resolvableFrom, choices = [] }, onDone }: OpenPanelProps) {
  const [isAsked, setAsked] = useState(false);
  if (!resolvable || choices.length === 0) {
    return (
      <p class="soft">
        {resolvableFrom === undefined ? (
          "An operator cannot close it: the bridge sees to it."
        ) : (
          <>
            An operator can close it <Countdown until={resolvableFrom} over="now: read this payment again." />, should
            the gateway tell nothing until then.
          </>
        )}
      </p>
    );
  }
  return (
    <div class="row">
      <button type="button" data-kind="main" onClick={() => setAsked(true)}>
        Resolve it…
      </button>
      <span class="small">For an operator who has looked into the gateway's back office.</span>
      {isAsked && <ResolveDialog payment={payment} choices={choices} onClose={() => setAsked(false)} onDone={onDone} />}
    </div>
  );
}
