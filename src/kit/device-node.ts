/** The file or folder by which a device is opened, as this user may use it. */
export interface DeviceNode {
  readonly path: string;
  readonly permitted: boolean;
  readonly mode: number;
  readonly group: string;
  /** Whether members of the group may read and write. */
  readonly groupMay: boolean;
  /** `after-login`: the user was put into the group after this process got its groups. */
  readonly inGroup: "yes" | "after-login" | "no";
  readonly user: string;
  /** Other processes that have it open, as far as this user may see them. */
  readonly holders: readonly { readonly pid: number; readonly name: string }[];
}
