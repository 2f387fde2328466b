import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";
import type { AddressValues } from "../shared/page.ts";
import type { Address } from "./address.ts";
import type { Router, View } from "./router.ts";

const RouterContext = createContext<Router | null>(null);
const ViewContext = createContext<View | null>(null);

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const [view, setView] = useState(router.view);
  useEffect(() => router.subscribe(() => startTransition(() => setView(router.view))), [router]);
  useLayoutEffect(() => {
    if (view) router.markRendered(view);
  }, [router, view]);
  return (
    <RouterContext value={router}>
      <ViewContext value={view}>{children}</ViewContext>
    </RouterContext>
  );
}

export function useRouter(): Router {
  const router = use(RouterContext);
  if (!router) throw new Error("outside of the app");
  return router;
}

export function useView(): View {
  const view = use(ViewContext);
  if (!view) throw new Error("outside of the app");
  return view;
}

export const useNavigate = (): Router["navigate"] => useRouter().navigate;
export const useAddress = (): Address => useView().address;
/** The values of the path's parameters, decoded. */
export const useParams = (): AddressValues => useView().match?.params ?? {};
/** The query's parameters. */
export const useSearch = (): AddressValues => useView().address.search;

/** Whether another page is being loaded. */
export function useIsLoading(): boolean {
  const router = useRouter();
  return useSyncExternalStore(
    router.subscribe,
    () => router.isLoading,
    () => false,
  );
}
