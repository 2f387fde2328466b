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

/**
 * What `select` says about the address that the reader has chosen: of the page on its way, or else of the page shown. The component
 * renders again only if that changes.
 */
export function useChosen<T extends string | boolean | undefined>(select: (chosen: Address) => T): T {
  const router = useRouter();
  const shown = useAddress();
  const snapshot = () => select(router.pending ?? router.view?.address ?? shown);
  return useSyncExternalStore(router.subscribe, snapshot, snapshot);
}

/** Whether another page is on its way. */
export function useIsLoading(): boolean {
  const shown = useAddress();
  return useChosen((chosen) => chosen !== shown);
}
