/*
 * A service's requirements on a machine, as data: `service print` shows them, `service install` and `service remove`
 * apply them. One file for each service manager.
 */

export type ServiceManager = "systemd" | "launchd" | "windows";

export interface ServiceSettings {
  /** The program, absolute. */
  readonly program: string;
  /** The configuration file, absolute. */
  readonly config: string;
  /** The system user that runs it. */
  readonly user: string;
  /** The data folder, absolute. */
  readonly dataDir: string;
}

export interface PlannedFolder {
  readonly path: string;
  readonly mode: number;
  readonly owner: "root" | "service";
}

export interface PlannedFile {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}

/** A command to run: program and arguments, never a line for a shell. */
export interface Step {
  readonly argv: readonly string[];
  /** Its purpose, for the error message. */
  readonly what: string;
  /** A failure does not stop the following steps. */
  readonly mayFail?: true;
  /** The exit code that means that nothing had to be done. */
  readonly soAlready?: number;
}

/** A system user with a group of its own name. */
export interface ServiceAccount {
  readonly user: string;
  /** Further groups of the user. */
  readonly groups: readonly string[];
}

export interface ServicePlan {
  readonly manager: ServiceManager;
  /** The service's name in the manager. */
  readonly service: string;
  /** Absent: the manager has one already. */
  readonly account?: ServiceAccount;
  readonly folders: readonly PlannedFolder[];
  readonly files: readonly PlannedFile[];
  /** Before `load` for a new service; absent: the files are enough. */
  readonly make?: readonly Step[];
  /** In place of `make` for an existing service. */
  readonly change?: readonly Step[];
  /** After the files are written: the manager reads them. */
  readonly load: readonly Step[];
  /** Starts the service now and at each start of the machine. */
  readonly start: readonly Step[];
  /** Applies changes to a running service; empty: at its next start. */
  readonly restart: readonly Step[];
  /** Before the files are removed. */
  readonly unload: readonly Step[];
  /** After the files are removed. */
  readonly unloaded: readonly Step[];
}

/** The service's state according to its manager. */
export interface ManagedState {
  readonly installed: boolean;
  readonly enabled: boolean;
  readonly running: boolean;
  /** The manager's own words, such as "active (running)". */
  readonly state: string;
  readonly since?: string;
  /** How the last run failed, if it did. */
  readonly failure?: string;
}

/** A service manager as `service` uses it. */
export interface ServicePlatform {
  readonly manager: ServiceManager;
  /** `install` and `remove` apply the plan; false: untested, so a person follows the output of `print`. */
  readonly installable: boolean;
  /** A path that exists if the manager runs. */
  readonly sign: string;
  /** Files of a package that brings the service itself. */
  readonly packaged: readonly string[];
  /** Folders hidden from the service. */
  readonly hidden: readonly string[];
  /** The program's place on such a machine. */
  readonly program: string;
  readonly config: string;
  readonly dataDir: string;
  plan(settings: ServiceSettings): ServicePlan;
  /** The command whose output `state` reads. */
  readonly query: readonly string[];
  state(output: string): ManagedState;
}
