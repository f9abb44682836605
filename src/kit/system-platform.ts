import { type Platform, platformOf } from "./platform.ts";

/** The platform of this process. Other code gets it as a parameter, so that a test can use another one. */
export const systemPlatform: Platform = platformOf(process.platform);
