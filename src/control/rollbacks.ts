import type { ControlHandlers, RollbackListing } from "./methods.ts";

interface Kept extends Omit<RollbackListing, "backup"> {
  readonly restored?: { readonly madeAt: string } | undefined;
}

/** The payments as the control method uses them. */
export interface RollbackBook {
  confirmRollback(word: {
    readonly by: string;
    readonly reason: string;
  }): Promise<
    { readonly ok: true; readonly value: Kept } | { readonly ok: false; readonly refusal: { readonly message: string } }
  >;
}

export function rollbackHandlers(book: RollbackBook): Pick<ControlHandlers, "rollbacks.confirm"> {
  return {
    "rollbacks.confirm": async (word) => {
      const done = await book.confirmRollback(word);
      if (!done.ok) return { ok: false, message: done.refusal.message };
      const { number, noticedAt, last, shown, restored, confirmed } = done.value;
      return {
        ok: true,
        value: {
          number,
          noticedAt,
          last,
          shown,
          ...(restored && { backup: restored.madeAt }),
          ...(confirmed !== undefined && { confirmed }),
        },
      };
    },
  };
}
