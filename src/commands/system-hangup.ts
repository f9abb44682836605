/** What is done at each SIGHUP, once it is known. */
interface HangUps {
  /** A signal that came before counts too. */
  hear(reload: () => void): void;
}

/**
 * SIGHUP asks a daemon to read its configuration anew. At a terminal it says that the window was closed, and on Windows it has no other meaning: there it is left to end the
 * process.
 */
export function hearHangUps(isWatched: boolean): HangUps {
  let heardBefore = false;
  let act = (): void => {
    heardBefore = true;
  };
  if (!isWatched && process.platform !== "win32") process.on("SIGHUP", () => act());
  return {
    hear: (reload) => {
      act = reload;
      if (heardBefore) reload();
    },
  };
}
