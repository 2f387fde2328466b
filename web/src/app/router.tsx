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
import { ErrorPage, NotFoundPage, SignInPrompt } from "../ui/error-pages.tsx";
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

/** The router over a history: the browser's, or that of one request. */
export function createAppRouter(context: AppContext, history: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context,
    defaultPreload: "intent",
    // What was fetched is kept by the query cache, which knows when it is stale.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const values = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
      const query = new URLSearchParams(values.map(([name, value]) => [name, String(value)]));
      return query.size > 0 ? `?${query}` : "";
    },
    // Without it scrolling is the browser's own; in the service it would be a script in the document.
    scrollRestoration: typeof document !== "undefined",
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

/** What the visited address led to; undefined where that is an error. */
export function loadedPageOf(router: AppRouter): LoadedPage | undefined {
  return router.state.matches.at(-1)?.loaderData as LoadedPage | undefined;
}

function RoutedPage() {
  useHydrationMark();
  const { loaderData } = useMatch({ strict: false });
  const visit = loaderData as LoadedPage | undefined;
  if (!visit) return null;
  return visit.requiredRole ? <SignInPrompt requiredRole={visit.requiredRole} /> : <visit.page.View />;
}
