import { technicianOf } from "../../client/technician.ts";
import { Notice } from "../design/notice.tsx";
import { useSession } from "./console-session.ts";
import { download } from "./download.ts";
import { Head, Scrolling, TroubleNotice } from "./parts.tsx";
import { useAction } from "./use-load.ts";

interface Bundle {
  readonly name: string;
  readonly bundle: string;
}

/** The support bundle: one file for remote help. */
export function SupportView() {
  const { client } = useSession();
  const made = useAction<Bundle>();
  const { done, trouble } = made;
  const make = (): void => {
    if (client !== undefined) made.run(() => technicianOf(client).supportBundle());
  };
  return (
    <>
      <Head title="Support bundle" />
      <section class="card stack">
        <p>
          One text file for support: version, configuration without secrets, terminals, checks, open payments with their
          timelines, the last lines of the log, and the metrics. It holds no token, no key and no card number. The
          bridge looks through the whole text for card numbers before it hands the text out.
        </p>
        <div class="row">
          <button
            type="button"
            data-kind={done === undefined ? "main" : undefined}
            disabled={client === undefined || made.isBusy}
            onClick={make}
          >
            {made.isBusy ? "Making it…" : done === undefined ? "Make the bundle" : "Make it again"}
          </button>
          {done !== undefined && (
            <button type="button" data-kind="main" onClick={() => download(done.name, done.bundle, "application/json")}>
              Download it
            </button>
          )}
        </div>
        {trouble?.code === "card-number-found" ? (
          <Notice tone="bad">
            <strong>The bridge keeps the bundle back:</strong> something in it reads like a card number. {trouble.text}{" "}
            Tell support what the text says; send no copy of the log or the journal instead.
          </Notice>
        ) : (
          <TroubleNotice trouble={trouble} />
        )}
        {done !== undefined && <Made bundle={done} />}
      </section>
    </>
  );
}

function Made({ bundle: { name, bundle } }: { readonly bundle: Bundle }) {
  return (
    <>
      <Notice tone="good">
        {name} is made: {Math.ceil(bundle.length / 1_000)} kB. Look through it before you send it.
      </Notice>
      <Scrolling class="bundle" name="The bundle's text">
        <pre>
          {bundle.slice(0, 20_000)}
          {bundle.length > 20_000 && "\n… the rest is in the file"}
        </pre>
      </Scrolling>
    </>
  );
}
