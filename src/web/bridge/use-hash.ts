import { useEffect, useState } from "preact/hooks";

export interface Hash {
  /** The fragment of the page's address, with #. */
  readonly hash: string;
  /** Navigates at once; the browser's back button returns. */
  go(hash: string): void;
}

export function useHash(): Hash {
  const [hash, setHash] = useState(() => window.location.hash);
  useEffect(() => {
    const moved = (): void => setHash(window.location.hash);
    window.addEventListener("popstate", moved);
    return () => window.removeEventListener("popstate", moved);
  }, []);
  const go = (next: string): void => {
    if (next !== (window.location.hash || "#/")) window.history.pushState(null, "", next);
    setHash(next);
  };
  return { hash, go };
}
