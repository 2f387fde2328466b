/* Filled in by the build: the files to precache, and the app's version. */

declare const __SHELL__: string[];
declare const __VERSION__: string;
export const SHELL = __SHELL__;
export const VERSION = __VERSION__;
