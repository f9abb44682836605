import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { pageMeta } from "../bridge/page-meta.ts";
import { TokenForm } from "../bridge/token-form.tsx";
import { type PageBridge, useBridge } from "../bridge/use-bridge.ts";
import { Frame } from "../design/frame.tsx";
import { Notice } from "../design/notice.tsx";
import { Gateway } from "./gateway.tsx";
import { Sale } from "./sale.tsx";
import { laterOf } from "./sale-words.ts";
import { Stage } from "./stage.tsx";
import { useTerminal } from "./use-terminal.ts";
import { Wire } from "./wire.tsx";

function Page() {
  const [payment, setPayment] = useState<PaymentView>();
  const bridge = useBridge("terminal", (change) => setPayment((before) => laterOf(before, change.payment)));
  const client = bridge.state.is === "open" ? bridge.state.client : undefined;
  useEffect(() => {
    // Notifications report only later changes, so a sale under way is looked up.
    client?.list({ limit: 1 }).then(
      ({ payments: [last] }) => last && setPayment((before) => laterOf(last, before ?? last)),
      () => undefined,
    );
  }, [client]);
  const control = pageMeta("control");
  const sandbox = pageMeta("sandbox");
  return (
    <Frame page="Terminal" bridge={bridge}>
      <NoToken bridge={bridge} />
      <div class="intro">
        <h1>The terminal on the screen</h1>
        <p class="soft">
          A simulated card terminal, a deck of test cards and a gateway that fails when you want it to. Sell here, or at
          the{" "}
          <a href="/till/" target="posbridge-till">
            till in another window
          </a>
          .
        </p>
      </div>
      {control === undefined || sandbox === undefined ? (
        <Notice tone="bad">The demo alone has a simulated terminal. Start it with: npm run demo</Notice>
      ) : (
        <Here control={control} sandbox={sandbox} client={client} payment={payment} />
      )}
    </Frame>
  );
}

function NoToken({ bridge: { state, useToken } }: { readonly bridge: PageBridge }) {
  if (state.is !== "no-token" && state.is !== "refused") return null;
  return (
    <TokenForm
      scopes={["payments", "payments:all"]}
      refused={state.is === "refused" ? state.why : undefined}
      onToken={useToken}
    />
  );
}

interface HereProps {
  readonly control: string;
  readonly sandbox: string;
  readonly client: RegisterClient | undefined;
  readonly payment: PaymentView | undefined;
}

function Here({ control, sandbox, client, payment }: HereProps) {
  const { state, doings } = useTerminal(control);
  const canType = state.model?.capabilities.interfaces.includes("keyed") === true;
  return (
    <div class="screen-page">
      <Stage state={state} doings={doings}>
        <Sale client={client} payment={payment} canType={canType} />
      </Stage>
      <Wire entries={state.wire} />
      <Gateway sandbox={sandbox} />
    </div>
  );
}

const place = document.querySelector("#page");
if (place !== null) render(<Page />, place);
