/** Guards that change nothing that anybody could see, each with its reason. */
export const EQUIVALENT: readonly { readonly file: string; readonly text: string; readonly why: string }[] = [];
