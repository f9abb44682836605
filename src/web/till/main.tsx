import { render } from "preact";
import { TokenForm } from "../bridge/token-form.tsx";
import { useBridge } from "../bridge/use-bridge.ts";
import { Frame } from "../design/frame.tsx";

function Page() {
  const bridge = useBridge("till", () => undefined);
  const { state, useToken } = bridge;
  return (
    <Frame page="Till" bridge={bridge}>
      {(state.is === "no-token" || state.is === "refused") && (
        <TokenForm scopes={[]} refused={state.is === "refused" ? state.why : undefined} onToken={useToken} />
      )}
      <h1>Till</h1>
    </Frame>
  );
}

const place = document.querySelector("#page");
if (place !== null) render(<Page />, place);
