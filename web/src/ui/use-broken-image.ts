import { useCallback, useState } from "react";

/** Whether a picture couldn't be had, be it before the page was alive; and what its element must be given to tell. */
export function useBroken() {
  const [broken, setBroken] = useState(false);
  const ref = useCallback((element: HTMLImageElement | null) => {
    if (element?.complete && element.naturalWidth === 0 && element.currentSrc) setBroken(true);
  }, []);
  return [broken, { ref, onError: () => setBroken(true) }] as const;
}
