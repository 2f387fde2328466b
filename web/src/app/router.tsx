import { Frame } from "../frame/frame.tsx";
import { ErrorBoundary } from "../router/error-boundary.tsx";
import { useView } from "../router/provider.tsx";
import { createRouter, type Hooks, type Router } from "../router/router.ts";
import type { AppContext } from "../shared/context.ts";
import { ErrorPage, RolePrompt } from "../ui/error-pages.tsx";
import { useHydrationMark } from "../ui/use-hydration-mark.ts";
import { DocumentTitle } from "./document-title.ts";
import { loadPage } from "./load-page.ts";

/** Creates the router of the app: of a browser, or of one request on the server. */
export const createAppRouter = (context: AppContext, hooks?: Hooks): Router =>
  createRouter(({ route, params }, search) => loadPage(route, context, params, search), hooks);

/** The current page in its frame. */
export function CurrentPage() {
  const view = useView();
  return (
    <ErrorBoundary view={view} Fallback={ErrorPage}>
      <DocumentTitle />
      <Frame>
        <ErrorBoundary view={view} Fallback={ErrorPage}>
          <PageContent />
        </ErrorBoundary>
      </Frame>
    </ErrorBoundary>
  );
}

function PageContent() {
  useHydrationMark();
  const { page: visit, error } = useView();
  if (!visit) return <ErrorPage error={error} />;
  return visit.requiredRole ? <RolePrompt {...visit} /> : <visit.page.View />;
}
