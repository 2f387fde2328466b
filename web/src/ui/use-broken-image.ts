import { useCallback, useState } from "react";

/** Whether a picture couldn't be had, be it before the page was alive; and what its element must be given to tell. */
export function useBrokenImage() {
  const [isBroken, setIsBroken] = useState(false);
  const ref = useCallback((element: HTMLImageElement | null) => {
    if (element?.complete && element.naturalWidth === 0 && element.currentSrc) setIsBroken(true);
  }, []);
  return [isBroken, { ref, onError: () => setIsBroken(true) }] as const;
}
