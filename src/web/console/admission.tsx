import type { RegisterClient } from "../../client/client.ts";
import { TokenForm } from "../bridge/token-form.tsx";
import type { PageState } from "../bridge/use-bridge.ts";
import { Notice } from "../design/notice.tsx";

/** The bridge is unreachable; the page shows the data read last. */
export function ConnectionNotice({ state }: { readonly state: Extract<PageState, { is: "connecting" | "lost" }> }) {
  if (state.is === "connecting") return <Notice>Connecting to the bridge…</Notice>;
  return (
    <Notice tone="unknown">
      <strong>The bridge does not answer.</strong> It is asked again by itself. What you see below is what was read
      last. If it stays so, see that the bridge runs: <code>systemctl status posbridge</code>, or{" "}
      <code>posbridge doctor</code> on its machine.
    </Notice>
  );
}

/** The token is valid but lacks a scope of this page. */
export function MissingScope({
  client,
  onToken,
}: {
  readonly client: RegisterClient;
  readonly onToken: (token: string) => void;
}) {
  return (
    <div class="stack">
      <Notice tone="bad">
        The token of register <strong>{client.register}</strong> has the scopes {client.scopes.join(", ")}. This page
        needs the scope <code>technician</code>, and <code>payments:all</code> to list the payments of every register.
      </Notice>
      <TokenForm scopes={["technician", "payments:all"]} onToken={onToken} />
    </div>
  );
}
