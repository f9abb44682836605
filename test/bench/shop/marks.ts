/** A moment of a sale as the world around the bridge sees it. */
export interface Mark {
  readonly what: "card-read" | "posted" | "replied" | "card-told" | "card-agreed" | "captured";
  readonly side: string;
  readonly at: number;
}
