import { BookOpen, ChartColumn, Info, Scale } from "lucide-react";
import { aboutPages } from "./about-pages.ts";

const icons = { about: Info, policy: Scale, transparency: ChartColumn, developers: BookOpen };

/** The pages about the service, with icons. */
export const aboutLinks = aboutPages.map((name) => ({
  to: `/${name}`,
  label: `nav.${name}` as const,
  icon: icons[name],
}));
