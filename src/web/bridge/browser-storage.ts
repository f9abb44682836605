/** Where a page keeps a few words between two visits. */
export interface Kept {
  get(): string | undefined;
  set(text: string | undefined): void;
}

/** A place in the browser's own storage. A browser that keeps nothing (private windows, full disk) is one that forgets at the next visit. */
export function browserStorage(name: string): Kept {
  let here: string | undefined;
  try {
    here = localStorage.getItem(name) ?? undefined;
  } catch {
    here = undefined;
  }
  return {
    get: () => here,
    set: (text) => {
      here = text;
      try {
        if (text === undefined) localStorage.removeItem(name);
        else localStorage.setItem(name, text);
      } catch {
        // The word holds until the page is closed.
      }
    },
  };
}
