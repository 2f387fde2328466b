/* What the build fills in: which files make up the app's frame, and which version of it they are. */

/** The page that is shown where there is no network. */
export const OFFLINE = "/offline";
declare const __SHELL__: string[];
declare const __VERSION__: string;
export const SHELL = __SHELL__;
export const VERSION = __VERSION__;
