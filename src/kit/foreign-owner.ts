import { shellWord } from "./shell-word.ts";

export interface Owner {
  readonly uid: number;
  /** Absent if the machine has no name for it. */
  readonly name?: string | undefined;
}

export function ownerName({ uid, name }: Owner): string {
  return name ?? (uid === 0 ? "root" : `user ${uid}`);
}

/** The start of a command run as that user. A number is quoted, because a shell reads `#` as the start of a comment. */
export function sudoAs({ uid, name }: Owner): string {
  return `sudo -u ${shellWord(name ?? (uid === 0 ? "root" : `#${uid}`))}`;
}

/** Lower numbers belong to the system and its services (systemd's SYSTEM_UID_MAX). */
const FIRST_PERSON = 1000;

/**
 * The fix for a file that belongs to another user. Nothing is ever given to root, because that would lock the service
 * out.
 */
export function foreignMend(path: string, owner: Owner, user: number): string {
  if (user === 0) return `run the command as that user, for example: ${sudoAs(owner)} posbridge ...`;
  const asOwner = `run as its owner (${sudoAs(owner)} posbridge ...)`;
  if (user >= FIRST_PERSON) return asOwner;
  const gift = `give it to the service: sudo chown ${user} ${shellWord(path)}`;
  return owner.uid === 0 ? gift : `${asOwner}, or ${gift}`;
}

export function foreignText(owner: Owner, user: number): string {
  return user === 0
    ? `belongs to ${ownerName(owner)}, and this is root`
    : `belongs to ${ownerName(owner)} and this is user ${user}`;
}
