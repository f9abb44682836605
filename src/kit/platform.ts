/** Operating systems whose files, sockets and signals differ; `bsd` is macOS and every other Unix. */
export type Platform = "linux" | "bsd" | "windows";

/** The platform of Node's `process.platform`. */
export function platformOf(name: string): Platform {
  if (name === "win32") return "windows";
  return name === "linux" ? "linux" : "bsd";
}
