/*
 * What a service needs on a machine, as data: `service print` shows it, `service install` and `service remove` carry it out. One file here for each service manager.
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
  /** What it is for, for the line that tells of its failure. */
  readonly what: string;
  /** Where it fails, the rest is done all the same. */
  readonly mayFail?: true;
  /** The exit code by which the program says that it is so already. */
  readonly soAlready?: number;
}

/** A system user with a group of its own name. */
export interface ServiceAccount {
  readonly user: string;
  /** Groups that it is in besides. */
  readonly groups: readonly string[];
}

export interface ServicePlan {
  readonly manager: ServiceManager;
  /** By which the manager knows the service. */
  readonly service: string;
  /** Absent: the manager has one already. */
  readonly account?: ServiceAccount;
  readonly folders: readonly PlannedFolder[];
  readonly files: readonly PlannedFile[];
  /** Before `load`, where the manager does not know the service yet; absent: the files make it known. */
  readonly make?: readonly Step[];
  /** In place of `make`, where the manager knows it already. */
  readonly change?: readonly Step[];
  /** After the files are written: the manager takes notice. */
  readonly load: readonly Step[];
  /** The service starts now and at each start of the machine. */
  readonly start: readonly Step[];
  /** A service that runs already takes up what has changed; empty: at its next start. */
  readonly restart: readonly Step[];
  /** Before the files are removed. */
  readonly unload: readonly Step[];
  /** After the files are removed. */
  readonly unloaded: readonly Step[];
}

/** How the service stands, as its manager tells it. */
export interface ManagedState {
  readonly installed: boolean;
  readonly enabled: boolean;
  readonly running: boolean;
  /** The manager's own words, such as "active (running)". */
  readonly state: string;
  readonly since?: string;
  /** How the last run ended, where it did not end well. */
  readonly failure?: string;
}

/** What `service` has to know of a service manager. */
export interface ServicePlatform {
  readonly manager: ServiceManager;
  /** `install` and `remove` carry the plan out; false: they have never been tried, and a person does what `print` shows. */
  readonly installable: boolean;
  /** A path that is there where the manager runs. */
  readonly sign: string;
  /** Files of a package that brings the service itself. */
  readonly packaged: readonly string[];
  /** Folders of which the service sees nothing. */
  readonly hidden: readonly string[];
  /** Where the program belongs on such a machine. */
  readonly program: string;
  readonly config: string;
  readonly dataDir: string;
  plan(settings: ServiceSettings): ServicePlan;
  /** The command whose output `state` reads. */
  readonly query: readonly string[];
  state(output: string): ManagedState;
}
