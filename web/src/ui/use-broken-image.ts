import { useCallback, useState } from "react";

/** Whether an image failed to load, even before hydration; and the props that its element needs for that. */
export function useBrokenImage() {
  const [isBroken, setIsBroken] = useState(false);
  const ref = useCallback((element: HTMLImageElement | null) => {
    if (element?.complete && element.naturalWidth === 0 && element.currentSrc) setIsBroken(true);
  }, []);
  return [isBroken, { ref, onError: () => setIsBroken(true) }] as const;
}
