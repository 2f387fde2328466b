import type { AddressValues } from "../shared/page.ts";
import { type PageRoute, pages } from "../shared/paths.ts";

export interface Match {
  route: PageRoute;
  params: AddressValues;
}

const routes = pages.map((route) => ({ route, parts: route.path.split("/") }));

/** The page at an encoded path, and the values of the path's parameters, decoded; null if there is none. */
export function matchPath(path: string): Match | null {
  const segments = path.split("/");
  for (const { route, parts } of routes) {
    const params = parts.length === segments.length && paramsIn(parts, segments);
    if (params) return { route, params };
  }
  return null;
}

function paramsIn(parts: readonly string[], segments: readonly string[]): AddressValues | null {
  const params: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const segment = segments[i] ?? "";
    if (part[0] !== "$") {
      if (part !== segment.toLowerCase()) return null;
    } else {
      const value = decoded(segment);
      if (!value) return null;
      params[part.slice(1)] = value;
    }
  }
  return params;
}

/** Null if it isn't properly encoded. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
