import { Notice } from "../design/notice.tsx";
import { useField } from "./use-store.ts";

interface TokenFormProps {
  /** The reason why the previous token was refused. */
  readonly refused?: string | undefined;
  /** The scopes that the page needs beyond the default ones. */
  readonly scopes: readonly string[];
  readonly onToken: (token: string) => void;
}

/** Asks for the token of a page that has none. */
export function TokenForm({ refused, scopes, onToken }: TokenFormProps) {
  const [token, { now, tell: setToken }] = useField("");
  const command = `posbridge tokens create --register NAME${scopes.map((scope) => ` --scope ${scope}`).join("")} --config FILE`;
  const submit = (event: Event): void => {
    event.preventDefault();
    const typed = now().trim();
    if (typed !== "") onToken(typed);
  };
  return (
    <form class="card stack token-form" onSubmit={submit}>
      <h1>This page needs a token</h1>
      {refused !== undefined && <Notice tone="bad">The bridge did not take the token: {refused}</Notice>}
      <p>
        A technician makes one on the bridge's machine with <code>{command}</code>. It stays in this browser.
      </p>
      <label>
        Token
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" data-kind="main" disabled={token.trim() === ""}>
        Connect
      </button>
    </form>
  );
}
