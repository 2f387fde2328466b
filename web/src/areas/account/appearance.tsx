import { Download, Monitor, Moon, Sun } from "lucide-react";
import { useInstallPrompt } from "../../data/install.ts";
import { chooseLocale, chooseTheme, themes, useTheme } from "../../data/theme.ts";
import { useText } from "../../i18n/use-text.tsx";
import { type Locale, locales } from "../../shared/locales.ts";
import { Button } from "../../ui/button.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Panel } from "./panel.tsx";

const icons = { system: Monitor, light: Sun, dark: Moon };

/** Theme and language for this browser. */
export function AppearanceSection() {
  const { t, locale } = useText();
  const theme = useTheme();
  return (
    <>
      <Panel title={t("account.themeAndLanguage")} description={t("account.themeAndLanguageDescription")}>
        <RadioGroup
          legend={t("account.theme")}
          options={themes.map((value) => ({ value, label: <ThemeLabel theme={value} /> }))}
          selected={theme}
          onSelect={chooseTheme}
        />
        <RadioGroup
          legend={t("account.language")}
          options={(Object.keys(locales) as Locale[]).map((value) => ({
            value,
            label: <span lang={value}>{locales[value]}</span>,
          }))}
          selected={locale as Locale}
          onSelect={chooseLocale}
        />
      </Panel>
      <InstallPanel />
    </>
  );
}

function ThemeLabel({ theme }: { theme: (typeof themes)[number] }) {
  const { t } = useText();
  const Icon = icons[theme];
  return (
    <>
      <Icon className="size-4" aria-hidden="true" />
      {t(`account.theme.${theme}`)}
    </>
  );
}

function InstallPanel() {
  const { t } = useText();
  const install = useInstallPrompt();
  return (
    <Panel
      title={t("account.app")}
      description={t(install ? "account.appDescription" : "account.appManualInstall")}
    >
      {install && (
        <Button variant="primary" className="self-start" onClick={install}>
          <Download className="size-4" aria-hidden="true" />
          {t("account.install")}
        </Button>
      )}
    </Panel>
  );
}
