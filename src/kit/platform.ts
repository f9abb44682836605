/** The families of operating systems whose files, sockets and signals differ here; `bsd` is macOS and every other Unix. */
export type Platform = "linux" | "bsd" | "windows";

/** The family of a system as Node names it (`process.platform`). */
export function platformOf(name: string): Platform {
  if (name === "win32") return "windows";
  return name === "linux" ? "linux" : "bsd";
}
