import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  type RouterHistory,
  useMatch,
} from "@tanstack/react-router";
import { Frame } from "../frame/frame.tsx";
import type { AppContext } from "../shared/context.ts";
import { pages } from "../shared/paths.ts";
import { ErrorPage, NotFoundPage, RolePrompt } from "../ui/error-pages.tsx";
import { useHydrationMark } from "../ui/use-hydration-mark.ts";
import { type LoadedPage, loadPage } from "./load-page.ts";

const root = createRootRouteWithContext<AppContext>()({
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
  notFoundComponent: NotFoundPage,
});

const routeTree = root.addChildren(
  pages.map((at) =>
    createRoute({
      getParentRoute: () => root,
      path: at.path,
      loaderDeps: ({ search }) => search,
      loader: ({ context, params, deps }) => loadPage(at, context, params, deps),
      component: RoutedPage,
    }),
  ),
);

/** Creates the router: over the browser's history, or over the URL of one request on the server. */
export function createAppRouter(context: AppContext, history: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context,
    defaultPreload: "intent",
    // TanStack Query caches the data and knows when it is stale.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const values = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
      const query = new URLSearchParams(values.map(([name, value]) => [name, String(value)]));
      return query.size > 0 ? `?${query}` : "";
    },
    // Off on the server, where it would add an inline script, which the security policy blocks.
    scrollRestoration: typeof document !== "undefined",
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

/** The loaded page for the current URL; undefined if loading failed. */
export function loadedPageOf(router: AppRouter): LoadedPage | undefined {
  return router.state.matches.at(-1)?.loaderData as LoadedPage | undefined;
}

function RoutedPage() {
  useHydrationMark();
  const { loaderData } = useMatch({ strict: false });
  const visit = loaderData as LoadedPage | undefined;
  if (!visit) return null;
  return visit.requiredRole ? <RolePrompt {...visit} /> : <visit.page.View />;
}
