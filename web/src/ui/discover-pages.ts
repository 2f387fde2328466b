import { Compass, Radio, ShoppingBag, UsersRound } from "lucide-react";
import type { MenuLink } from "./menu-group.tsx";

/** Where there is something to discover, besides the feed and the search. */
export const discoverPages = [
  { to: "/communities", label: "nav.communities", icon: UsersRound },
  { to: "/creators", label: "nav.creators", icon: Compass },
  { to: "/live", label: "nav.live", icon: Radio },
  { to: "/shop", label: "nav.shop", icon: ShoppingBag },
] as const satisfies readonly MenuLink[];
