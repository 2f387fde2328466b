import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { chooseLocale, chooseTheme, type Theme, themes, useTheme } from "../data/theme.ts";
import { isLocale, type Locale, locales } from "../i18n/locales.ts";
import { useText } from "../i18n/use-text.tsx";

const icons = { system: Monitor, light: Sun, dark: Moon };
const look = "inline-flex min-h-10 items-center rounded-full font-medium";
const looks = {
  small: `${look} ps-2 text-xs text-soft hover:bg-sunken hover:text-ink`,
  medium: `${look} border border-edge/50 ps-3 text-sm hover:border-edge`,
};
const select = "min-h-10 cursor-pointer appearance-none rounded-full bg-transparent ps-2 pe-3";

/** Colours and language, wherever one is and whoever one is. */
export function Switches({ small = false }: { small?: boolean }) {
  const { t, locale } = useText();
  const theme = useTheme();
  const Icon = icons[theme];
  const box = looks[small ? "small" : "medium"];
  return (
    <div className={`flex flex-wrap ${small ? "" : "gap-2"}`}>
      <label className={box}>
        <Icon className="size-4" aria-hidden="true" />
        <span className="sr-only">{t("frame.theme")}</span>
        <select
          className={select}
          value={theme}
          onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {t(`frame.theme.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <label className={box}>
        <Languages className="size-4" aria-hidden="true" />
        <span className="sr-only">{t("frame.language")}</span>
        <select
          className={select}
          value={locale}
          onChange={({ currentTarget: { value } }) => isLocale(value) && chooseLocale(value)}
        >
          {(Object.keys(locales) as Locale[]).map((one) => (
            <option key={one} value={one} lang={one}>
              {locales[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
