/* Filled in by the build: the files to precache, and the app's version. */

/** The page to show without a network. */
export const OFFLINE = "/offline";
declare const __SHELL__: string[];
declare const __VERSION__: string;
export const SHELL = __SHELL__;
export const VERSION = __VERSION__;
