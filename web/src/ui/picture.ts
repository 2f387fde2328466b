import { type SyntheticEvent, useCallback, useState } from "react";

/** Whether a picture from somewhere can't be had, so that something else is shown; with what its element is to be given. */
export function usePicture(src: string | null) {
  const [broken, setBroken] = useState<string | null>(null);
  // It may have failed before the page came alive.
  const ref = useCallback((picture: HTMLImageElement | null) => {
    if (picture?.complete && picture.naturalWidth === 0) setBroken(picture.getAttribute("src"));
  }, []);
  const onError = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
    setBroken(currentTarget.getAttribute("src"));
  return { shown: src !== null && src !== broken, props: { ref, onError } };
}
