/** The user of the operating system; behind sudo the person, and as whom. */
export async function operator(): Promise<string> {
  const { userInfo } = await import("node:os");
  const user = nameOf(userInfo);
  const person = process.env["SUDO_USER"];
  return person === undefined || person === "" || person === user ? user : `${person} as ${user}`;
}

function nameOf(userInfo: () => { readonly username: string }): string {
  try {
    return userInfo().username;
  } catch {
    // A user id that has no name on this machine (in a container): the number is what is known of it.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
