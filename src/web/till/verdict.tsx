import { LookIcon } from "./icons.tsx";
import type { Picture } from "./picture.ts";

/** The main message in large type, with the instruction. */
export function Verdict({ picture }: { readonly picture: Picture }) {
  const { look, title, text, next } = picture;
  return (
    <div
      class="verdict"
      data-look={look}
      role={look === "bad" || look === "unknown" || look === "stopped" ? "alert" : "status"}
      key={look}
    >
      <LookIcon look={look} />
      <div class="verdict-words">
        <strong class="verdict-title">{title}</strong>
        {text !== "" && <span class="verdict-text">{text}</span>}
        {next !== undefined && next !== "" && <span class="verdict-next">{next}</span>}
      </div>
    </div>
  );
}
