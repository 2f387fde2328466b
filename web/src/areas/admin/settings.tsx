import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { settingsQuery } from "../../data/admin.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Field } from "../../ui/field.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { AdminPage } from "./layout.tsx";

/** The server's configuration, read-only: it is set in the environment. */
export function SettingsPage() {
  const { t } = useText();
  const [query, setQuery] = useState("");
  const { data: settings } = useQuery(settingsQuery(useApi()));
  const shown = settings?.filter(({ name }) => name.includes(query.trim().toUpperCase())) ?? [];
  return (
    <AdminPage section="settings">
      <Field
        label={t("admin.findSetting")}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        autoComplete="off"
        className="mb-3 max-w-sm px-4 sm:px-0"
      />
      {!settings && <SkeletonCards count={1} />}
      <dl className="card-flush overflow-hidden empty:hidden">
        {shown.map(({ name, value }) => (
          <div key={name} className="flex flex-wrap gap-x-4 border-b px-4 py-2 text-sm last:border-b-0">
            <dt className="font-mono font-semibold break-all">{name}</dt>
            <dd className="ms-auto font-mono break-all text-soft">{value ?? t("admin.unset")}</dd>
          </div>
        ))}
      </dl>
    </AdminPage>
  );
}
