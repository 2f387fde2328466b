import { useApp } from "../shared/context.ts";
import { useHydrated } from "./use-hydrated.ts";

/** The service's URL to show or copy: where the reader reached it, such as `http://localhost:3000`. On the server, what the service knows. */
export function useBaseUrl(): string {
  const { baseUrl } = useApp();
  return useHydrated() ? location.origin : baseUrl;
}
