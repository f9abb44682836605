/** A text that a page keeps between visits. */
export interface Kept {
  get(): string | undefined;
  set(text: string | undefined): void;
}

/**
 * A place in the browser's storage. Browsers that store nothing (private windows, full disk) forget it after the visit.
 */
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
        // The value is kept until the page closes.
      }
    },
  };
}
