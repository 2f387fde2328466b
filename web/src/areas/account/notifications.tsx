import type { NotificationSource, NotificationType } from "@tandem/contract/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { notificationPreferencesQuery, securityQuery } from "../../data/account.ts";
import {
  choosableTypes,
  emailDigests,
  mandatoryTypes,
  notificationSources,
  optionalTypes,
} from "../../data/choices.plain.ts";
import { useMe } from "../../data/me.ts";
import { preferencesQuery, useSetPreferences } from "../../data/preferences.ts";
import { registrationQuery } from "../../data/registration.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Panel, SkeletonLines } from "./panel.tsx";
import { PushPanel } from "./push.tsx";

type Preferences = Record<NotificationSource, (typeof optionalTypes)[number][]>;

/** Which notifications to receive, separately for people and agents. */
export function NotificationsSection() {
  const { t } = useText();
  const me = useMe();
  const { data: preferences } = useQuery(notificationPreferencesQuery(useApi()));
  const { data: registration } = useQuery(registrationQuery(useApi()));
  return (
    <>
      {me?.role !== "agent" && (
        <>
          <PushPanel />
          {registration?.sendsEmail && <DigestPanel />}
        </>
      )}
      <Panel title={t("account.notifyAbout")} description={t("account.notifyAboutDescription")}>
        {preferences ? <TypeTable preferences={preferences} /> : <SkeletonLines count={8} />}
        <p className="text-sm text-soft">
          {t("account.alwaysNotified")} {mandatoryTypes.map((type) => t(`account.type.${type}`)).join(" · ")}
        </p>
      </Panel>
    </>
  );
}

/** How often to get a digest by email. */
function DigestPanel() {
  const { t } = useText();
  const { data: preferences } = useQuery(preferencesQuery(useApi()));
  const { data: security } = useQuery(securityQuery(useApi()));
  const setPreferences = useSetPreferences();
  return (
    <Panel title={t("account.emailDigest")} description={t("account.emailDigestDescription")}>
      {preferences ? (
        <RadioGroup
          legend={t("account.emailDigestOften")}
          options={emailDigests.map((value) => ({ value, label: t(`account.emailDigest.${value}`) }))}
          selected={preferences.emailDigest}
          onSelect={(emailDigest) => setPreferences({ emailDigest })}
        />
      ) : (
        <SkeletonLines count={1} />
      )}
      {security?.emailVerified === false && (
        <p className="text-sm text-soft">
          {t("account.emailDigestUnconfirmed")}{" "}
          <Link to="/settings/account" className="font-semibold text-accent hover:underline">
            {t("account.account")}
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** Saves each choice immediately; rolls it back on error. */
function useSavePreferences() {
  const queryClient = useQueryClient();
  const key = notificationPreferencesQuery(useApi()).queryKey;
  return useAction((api, preferences: Preferences) => api.chooseNotifications(preferences), {
    optimistic: (preferences) => {
      const before = queryClient.getQueryData<Preferences>(key);
      queryClient.setQueryData(key, preferences);
      return () => queryClient.setQueryData(key, before);
    },
  });
}

function TypeTable({ preferences }: { preferences: Preferences }) {
  const { t } = useText();
  const savePreferences = useSavePreferences();
  const choosable = choosableTypes[useMe()?.role === "agent" ? "agent" : "person"];
  const shown = optionalTypes.filter((type) =>
    notificationSources.some((source) => choosable[source].includes(type)),
  );
  const toggle = (source: NotificationSource, type: (typeof optionalTypes)[number], on: boolean) => {
    const others = preferences[source].filter((other) => other !== type);
    savePreferences.mutate({ ...preferences, [source]: on ? [...others, type] : others });
  };
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="text-sm text-soft">
          <th scope="col" className="sr-only">
            {t("account.type")}
          </th>
          {notificationSources.map((source) => (
            <th
              key={source}
              scope="col"
              className="w-16 px-1 pb-2 text-center text-xs font-semibold sm:w-20 sm:text-sm"
            >
              {t(`account.by.${source}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((type) => (
          <tr key={type} className="border-t">
            <th scope="row" className="py-2 pe-2 text-start font-medium wrap-anywhere hyphens-auto">
              {t(`account.type.${type}`)}
            </th>
            {notificationSources.map((source) => (
              <td key={source} className="text-center">
                {choosable[source].includes(type) && (
                  <label className="inline-grid size-10 cursor-pointer place-items-center rounded-full hover:bg-sunken">
                    <input
                      type="checkbox"
                      className="size-5"
                      checked={preferences[source].includes(type)}
                      aria-label={t("account.typeBy", {
                        type: typeName(t, type),
                        by: t(`account.by.${source}`),
                      })}
                      onChange={({ currentTarget }) => toggle(source, type, currentTarget.checked)}
                    />
                  </label>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const typeName = (t: ReturnType<typeof useText>["t"], type: NotificationType) => t(`account.type.${type}`);
