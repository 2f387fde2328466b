// Transition: the old names, for files that are being rewritten on another branch. Delete with them.
export { HostBusyError as Busy, HostThrottle as Hosts } from "./host-throttle.ts";
