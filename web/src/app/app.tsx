import { TandemError } from "@tandem/client";
import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "../router/provider.tsx";
import type { Router } from "../router/router.ts";
import { type AppContext, AppContextHolder } from "../shared/context.ts";
import { Toasts } from "../ui/toast.tsx";
import { CurrentPage } from "./router.tsx";

/** Milliseconds before cached data counts as stale. */
const STALE_TIME = 30_000;

// By default, components see a change in the next turn. A checkbox that shows data would go back to its old state until then.
notifyManager.setScheduler(queueMicrotask);

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME,
        // The client already retries what is worth retrying. Only network failures (status 0) can succeed if
        // tried again.
        retry: (failures, error) => failures < 2 && error instanceof TandemError && error.status === 0,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

export function App({ context, router }: { context: AppContext; router: Router }) {
  return (
    <AppContextHolder value={context}>
      <QueryClientProvider client={context.queryClient}>
        <Toasts>
          <RouterProvider router={router}>
            <CurrentPage />
          </RouterProvider>
        </Toasts>
      </QueryClientProvider>
    </AppContextHolder>
  );
}
