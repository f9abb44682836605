import type { PaymentView } from "../../payment/view-schema.ts";
import { momentText } from "./words.ts";

/** The QR code. The bridge's SVG is embedded as an image, so nothing in it can run. */
export function LinkPicture({ link: { url, qr, validUntil } }: { readonly link: NonNullable<PaymentView["link"]> }) {
  return (
    <div class="link-picture">
      {qr !== undefined && (
        <img src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={`QR code of ${url}`} width="240" height="240" />
      )}
      <p class="small">
        {/^https?:\/\//.test(url) ? (
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        ) : (
          <code>{url}</code>
        )}
      </p>
      <p class="soft">Can be paid until {momentText(validUntil)}.</p>
    </div>
  );
}
