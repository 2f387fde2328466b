import { Download, Monitor, Moon, Sun } from "lucide-react";
import { useInstallPrompt } from "../../data/install.ts";
import { chooseLocale, chooseTheme, themes, useTheme } from "../../data/theme.ts";
import { type Locale, locales } from "../../i18n/locales.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { ChoiceRow } from "./choice-row.tsx";
import { Panel } from "./panel.tsx";

const icons = { system: Monitor, light: Sun, dark: Moon };

/** Colours and language, of this browser. */
export function AppearanceSection() {
  const { t, locale } = useText();
  const theme = useTheme();
  return (
    <>
      <Panel title={t("account.looks")} says={t("account.looksSays")}>
        <ChoiceRow
          legend={t("account.theme")}
          options={themes.map((value) => ({ value, says: <ThemeName theme={value} /> }))}
          chosen={theme}
          onChoose={chooseTheme}
        />
        <ChoiceRow
          legend={t("account.language")}
          options={(Object.keys(locales) as Locale[]).map((value) => ({
            value,
            says: <span lang={value}>{locales[value]}</span>,
          }))}
          chosen={locale as Locale}
          onChoose={chooseLocale}
        />
      </Panel>
      <Install />
    </>
  );
}

function ThemeName({ theme }: { theme: (typeof themes)[number] }) {
  const { t } = useText();
  const Icon = icons[theme];
  return (
    <>
      <Icon className="size-4" aria-hidden="true" />
      {t(`account.theme.${theme}`)}
    </>
  );
}

function Install() {
  const { t } = useText();
  const install = useInstallPrompt();
  return (
    <Panel title={t("account.app")} says={t(install ? "account.appSays" : "account.appElsewhere")}>
      {install && (
        <Button look="primary" className="self-start" onClick={install}>
          <Download className="size-4" aria-hidden="true" />
          {t("account.install")}
        </Button>
      )}
    </Panel>
  );
}
