/** The user of the operating system; under sudo the person, and the user acted as. */
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
    // The user has no name on this machine (in a container); the number identifies it.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
