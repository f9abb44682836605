/** Capabilities of a terminal for a payment. */
export interface Capabilities {
  readonly interfaces: readonly ("chip" | "contactless" | "stripe" | "keyed")[];
  readonly onlinePin: boolean;
  /** Command `ask-pin`: the device can take a PIN for a card that was tapped and is gone. */
  readonly pinAfterTap: boolean;
  readonly display: boolean;
  /** The device seals tags that others send in clear: fields that need them stay empty. */
  readonly sealed: boolean;
}
