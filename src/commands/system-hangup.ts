/** The action at each SIGHUP, once it is known. */
interface HangUps {
  /** A signal that came earlier counts too. */
  hear(reload: () => void): void;
}

/**
 * SIGHUP asks a daemon to read its configuration anew. At a terminal and on Windows it means a closed window, and still
 * ends the process.
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
