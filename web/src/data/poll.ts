import { useQuery } from "@tanstack/react-query";

/** Whether what happens is told as it happens. */
export const streamKey = ["stream"];

/** How often to look at what the stream tells of: not at all, while there is one. */
export function usePollInterval(milliseconds: number): number | false {
  const { data: open } = useQuery<boolean>({ queryKey: streamKey, enabled: false });
  return !open && milliseconds;
}
