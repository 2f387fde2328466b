import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { chooseLocale, chooseTheme, type Theme, themes, useTheme } from "../data/theme.ts";
import { useText } from "../i18n/use-text.tsx";
import { isLocale, type Locale, locales } from "../shared/locales.ts";

const icons = { system: Monitor, light: Sun, dark: Moon };
const labelClass = "inline-flex min-h-10 items-center rounded-full font-medium";
const labelClasses = {
  compact: `${labelClass} ps-2 text-xs text-soft hover:bg-sunken hover:text-ink`,
  medium: `${labelClass} border border-edge/50 ps-3 text-sm hover:border-edge`,
};
const selectClass = "min-h-10 cursor-pointer appearance-none rounded-full bg-transparent ps-2 pe-3";

/** Selects for the theme and the language. */
export function ThemeLanguageSelect({ compact = false }: { compact?: boolean }) {
  const { t, locale } = useText();
  const theme = useTheme();
  const Icon = icons[theme];
  const labelClassName = labelClasses[compact ? "compact" : "medium"];
  return (
    <div className={`flex flex-wrap ${compact ? "" : "gap-2"}`}>
      <label className={labelClassName}>
        <Icon className="size-4" aria-hidden="true" />
        <span className="sr-only">{t("frame.theme")}</span>
        <select
          className={selectClass}
          value={theme}
          onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}
        >
          {themes.map((option) => (
            <option key={option} value={option}>
              {t(`frame.theme.${option}`)}
            </option>
          ))}
        </select>
      </label>
      <label className={labelClassName}>
        <Languages className="size-4" aria-hidden="true" />
        <span className="sr-only">{t("frame.language")}</span>
        <select
          className={selectClass}
          value={locale}
          onChange={({ currentTarget: { value } }) => isLocale(value) && chooseLocale(value)}
        >
          {(Object.keys(locales) as Locale[]).map((option) => (
            <option key={option} value={option} lang={option}>
              {locales[option]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
