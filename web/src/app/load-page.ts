import { TandemError } from "@tandem/client";
import type { User } from "@tandem/contract/resources";
import { notFound } from "@tanstack/react-router";
import { meQuery } from "../data/me.ts";
import { preferencesQuery } from "../data/preferences.ts";
import { addTexts } from "../i18n/texts.ts";
import type { AppContext } from "../shared/context.ts";
import type { AddressValues, PageOf, PageRequest } from "../shared/page.ts";
import type { PagePath } from "../shared/paths.ts";

const areas = import.meta.glob<Record<string, PageOf>>("../areas/*/pages.tsx");

/** A page that was asked for, ready to be drawn. */
export type Visit =
  | { barred: null; page: PageOf; request: PageRequest }
  /** Whom the page is for, as the reader isn't one of them: the way in is drawn instead. */
  | { barred: "members" | "admins" };

/** Loads a page's code, texts and data. Throws `notFound`, or what the service refused. */
export async function visit(
  at: PagePath,
  context: AppContext,
  params: AddressValues,
  search: AddressValues,
): Promise<Visit> {
  const [module, me] = await Promise.all([
    areas[`../areas/${at.area}/pages.tsx`]?.(),
    reader(context),
    addTexts(context.i18n, at.area),
  ]);
  const barred = barredFrom(at, me);
  if (barred) return { barred };
  const page = module?.[at.page];
  if (!page) throw notFound();
  const request = { ...context, params, search };
  await page.load?.(request).catch((error) => refuse(error, params));
  return { barred: null, page, request };
}

/** Who reads, with what they want to see at hand: a page without that is better than none. */
async function reader({ api, data }: AppContext): Promise<User | null> {
  const me = await data.ensureQueryData(meQuery(api));
  if (me) await data.ensureQueryData(preferencesQuery(api)).catch(() => null);
  return me;
}

function barredFrom(at: PagePath, me: User | null): Visit["barred"] {
  if (at.for === "members" && !me) return "members";
  return at.for === "admins" && me?.role !== "admin" ? "admins" : null;
}

/** What isn't there has a page of its own. A path that makes no sense leads nowhere either. */
function refuse(error: unknown, params: AddressValues): never {
  if (!(error instanceof TandemError)) throw error;
  const misnamed = error.status === 400 && error.field !== undefined && error.field in params;
  if (error.status === 404 || misnamed) throw notFound();
  throw error;
}
