import { useEffect, useRef } from "react";

/** Whether one is still where one pressed, for what is to be done once an answer has come. Who has set out elsewhere isn't. */
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
