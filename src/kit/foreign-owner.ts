import { shellWord } from "./shell-word.ts";

export interface Owner {
  readonly uid: number;
  /** Absent where the machine does not tell it. */
  readonly name?: string | undefined;
}

/** How somebody is named in a sentence. */
export function ownerName({ uid, name }: Owner): string {
  return name ?? (uid === 0 ? "root" : `user ${uid}`);
}

/** The beginning of a command that is run as that user; a number stands in quotes, because a shell takes what follows `#` for a comment. */
export function sudoAs({ uid, name }: Owner): string {
  return `sudo -u ${shellWord(name ?? (uid === 0 ? "root" : `#${uid}`))}`;
}

/** Numbers below this are the system's own, services among them (systemd's SYSTEM_UID_MAX). */
const FIRST_PERSON = 1000;

/** `user` met what belongs to somebody else. Nothing is ever given to root: that would lock the service out. */
export function foreignMend(path: string, owner: Owner, user: number): string {
  if (user === 0) return `run the command as that user, for example: ${sudoAs(owner)} posbridge ...`;
  const asOwner = `run as its owner (${sudoAs(owner)} posbridge ...)`;
  if (user >= FIRST_PERSON) return asOwner;
  const gift = `give it to the service: sudo chown ${user} ${shellWord(path)}`;
  return owner.uid === 0 ? gift : `${asOwner}, or ${gift}`;
}

export function foreignText(owner: Owner, user: number): string {
  return user === 0 ? `belongs to ${ownerName(owner)}, and this is root` : `belongs to ${ownerName(owner)} and this is user ${user}`;
}
