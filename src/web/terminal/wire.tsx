import type { WireEntry } from "./control-schema.ts";
import { Arrow } from "./icons.tsx";
import { ScrollList } from "./scroll-list.tsx";
import { type ObjectWords, type WireLine, wireLines } from "./wire-words.ts";

const FROM = { bridge: "Bridge to terminal", terminal: "Terminal to bridge", link: "The cable" } as const;

/** Live traffic between bridge and terminal, newest at the bottom. */
export function Wire({ entries }: { readonly entries: readonly WireEntry[] }) {
  return (
    <section class="card wire" aria-labelledby="wire-title">
      <h2 id="wire-title">The wire</h2>
      <p class="soft small">
        Every frame between bridge and terminal, in words. Keys and PIN are in none of them; of most data only the
        length is shown.
      </p>
      <ScrollList name="Frames on the wire" className="frames" endsWith={entries.at(-1)?.n}>
        {wireLines(entries).map((line) => (
          <Frame key={line.key} line={line} />
        ))}
      </ScrollList>
    </section>
  );
}

function Frame({ line: { from, at, title, times, objects } }: { readonly line: WireLine }) {
  return (
    <li class="frame" data-from={from}>
      <span class="frame-head">
        <Arrow from={from} />
        <span class="for-readers">{FROM[from]}: </span>
        <span class="frame-title">{title}</span>
        {times > 1 && <span class="soft small">{times} times</span>}
        <time class="soft small number" dateTime={at}>
          {at.slice(17, 23)}
        </time>
      </span>
      {objects.length > 0 && <Objects objects={objects} />}
    </li>
  );
}

/** More objects are folded away. */
const FEW = 4;

function Objects({ objects }: { readonly objects: readonly ObjectWords[] }) {
  const list = (
    <ul class="objects">
      {objects.map((object, at) => (
        // A tag may occur twice.
        <li key={`${at}`}>
          <span class="mono tag">{object.tag}</span>
          <span>{object.name}</span>
          <span class="soft">{valueWords(object)}</span>
        </li>
      ))}
    </ul>
  );
  if (objects.length <= FEW) return list;
  return (
    <details>
      <summary class="small">
        {objects.length} data objects:{" "}
        {objects
          .slice(0, 3)
          .map(({ tag }) => tag)
          .join(", ")}
        …
      </summary>
      {list}
    </details>
  );
}

function valueWords({ value, words, length }: ObjectWords): string {
  if (value === undefined) return `${length} ${length === 1 ? "byte" : "bytes"}`;
  return words === undefined || words === "" ? value : words;
}
