/** The file or folder of a device, with this user's access to it. */
export interface DeviceNode {
  readonly path: string;
  readonly permitted: boolean;
  readonly mode: number;
  readonly group: string;
  /** Whether members of the group may read and write. */
  readonly groupMay: boolean;
  /** `after-login`: the user joined the group after this process got its groups. */
  readonly inGroup: "yes" | "after-login" | "no";
  readonly user: string;
  /** Other processes that have the device open, as far as this user may see them. */
  readonly holders: readonly { readonly pid: number; readonly name: string }[];
}
