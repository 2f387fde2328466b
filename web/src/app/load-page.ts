import { TandemError } from "@tandem/client";
import type { User } from "@tandem/contract/resources";
import { CancelledError } from "@tanstack/react-query";
import { meQuery } from "../data/me.ts";
import { preferencesQuery } from "../data/preferences.ts";
import { addTexts } from "../i18n/texts.ts";
import type { AppContext } from "../shared/context.ts";
import {
  type AddressValues,
  type LoadedPage,
  NotFound,
  type Page,
  type PageRequest,
  Unreachable,
} from "../shared/page.ts";
import type { PageRoute, RequiredRole } from "../shared/paths.ts";

const areas = import.meta.glob<Record<string, Page>>("../areas/*/pages.tsx");

/** Loads a page's code, texts and data. Throws `NotFound`, or the error that the API returned. */
export async function loadPage(
  route: PageRoute,
  context: AppContext,
  params: AddressValues,
  search: AddressValues,
): Promise<LoadedPage> {
  const [[module], me] = await Promise.all([loadFiles(route, context), loadReader(context)]);
  const page = module?.[route.page];
  const requiredRole = requiredRoleFor(route, me);
  if (requiredRole) return { requiredRole, logIn: page?.logIn?.(context) };
  if (!page) throw new NotFound();
  const request = { ...context, params, search };
  await loadData(page, request).catch((error) => rethrow(error, params));
  return { requiredRole: null, page, request };
}

/** Loads a page's code and texts. */
const loadFiles = ({ area }: PageRoute, { i18n }: AppContext) =>
  Promise.all([areas[`../areas/${area}/pages.tsx`]?.(), addTexts(i18n, area)]).catch((cause) => {
    throw new Unreachable("a page's files can't be loaded", { cause });
  });

/** Loads again what an action outdates while a page waits for it, such as the list of saved posts when one is saved. */
async function loadData(page: Page, request: PageRequest): Promise<void> {
  try {
    await page.load?.(request);
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
    await loadData(page, request);
  }
}

/** Loads the reader's account and preferences. The page renders even if the preferences fail to load. */
async function loadReader({ api, queryClient }: AppContext): Promise<User | null> {
  const me = await queryClient.ensureQueryData(meQuery(api));
  if (me) await queryClient.ensureQueryData(preferencesQuery(api)).catch(() => null);
  return me;
}

function requiredRoleFor({ audience }: PageRoute, me: User | null): RequiredRole | null {
  if (audience !== "all" && !me) return "members";
  if (audience === "admins") return me?.role === "admin" ? null : audience;
  return audience === "people" && me?.role === "agent" ? audience : null;
}

/** Turns 404s, and 400s about a path parameter, into the not-found page. */
function rethrow(error: unknown, params: AddressValues): never {
  if (!(error instanceof TandemError)) throw error;
  const isInvalidParam = error.status === 400 && error.field !== undefined && error.field in params;
  if (error.status === 404 || isInvalidParam) throw new NotFound();
  throw error;
}
