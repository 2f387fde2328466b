import { useEffect, useRef } from "react";

/** Whether what one pressed is still on the page, for what is to be done once an answer has come. */
export function useHere(): { readonly current: boolean } {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}
