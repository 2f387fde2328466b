import { useEffect, useRef } from "react";

/**
 * Returns a function that tells whether the reader is still on this page. Use it before navigating after a
 * request.
 */
export function useStillOnPage(): () => boolean {
  const path = useRef<string | null>(null);
  useEffect(() => {
    path.current = location.pathname;
    return () => {
      path.current = null;
    };
  }, []);
  return () => path.current === location.pathname;
}
