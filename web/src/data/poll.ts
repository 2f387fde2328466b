import { useQuery } from "@tanstack/react-query";

/** Whether the notification stream is open. */
export const streamKey = ["stream"];

/** The polling interval for data that the stream covers; false while the stream is open. */
export function usePollInterval(milliseconds: number): number | false {
  const { data: open } = useQuery<boolean>({ queryKey: streamKey, enabled: false });
  return !open && milliseconds;
}
