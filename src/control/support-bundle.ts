import type { ControlHandlers } from "./methods.ts";

/** The technician's calls as the control method uses them. */
interface Bundles {
  supportBundle(): Promise<
    | { readonly ok: true; readonly value: { readonly name: string; readonly bundle: string } }
    | { readonly ok: false; readonly refusal: { readonly message: string } }
  >;
}

/** Characters of one reply: as JSON text in UTF-8 they stay below the 65,536 bytes of a line. */
const PART = 16_000;

/** A bundle is made once and read part by part. It is kept until its last part was read, or the next one is made. */
export function bundleHandlers(
  bundles: Bundles,
  made: (by: string) => void,
): Pick<ControlHandlers, "bridge.supportBundle"> {
  let text = "";
  return {
    "bridge.supportBundle": async (params) => {
      if (params.do === "make") {
        const bundle = await bundles.supportBundle();
        if (!bundle.ok) return { ok: false, message: bundle.refusal.message };
        text = bundle.value.bundle;
        made(params.by);
      }
      const from = params.do === "read" ? params.from : 0;
      const part = text.slice(from, from + PART);
      const length = text.length;
      if (from + PART >= length) text = "";
      return { ok: true, value: { length, part } };
    },
  };
}
