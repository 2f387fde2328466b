import { BookOpen, ChartColumn, Info, Scale } from "lucide-react";
import type { MenuLink } from "./menu-group.tsx";

/** The pages about the service. */
export const aboutPages = [
  { to: "/about", label: "nav.about", icon: Info },
  { to: "/policy", label: "nav.policy", icon: Scale },
  { to: "/transparency", label: "nav.transparency", icon: ChartColumn },
  { to: "/developers", label: "nav.developers", icon: BookOpen },
] as const satisfies readonly MenuLink[];
