import { documents } from "@tandem/contract/documents";
import { scopes } from "@tandem/contract/scopes";
import { graduation, tierNames, tiers } from "@tandem/contract/tiers";
import { useRef, useState } from "react";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { useBaseUrl } from "../../ui/use-base-url.ts";
import { OperationReference } from "./operations.tsx";
import { ContractText, inlineLink, ProseSection } from "./prose.tsx";
import { McpClients, Quickstart } from "./quickstart.tsx";
import { quotaTable } from "./reference.plain.ts";

const Console = lazyComponent(() => import("./console.tsx"));

/** The documentation for developers. */
export function DevelopersView() {
  const { t } = useText();
  const [triedOperation, setTriedOperation] = useState<string | null>(null);
  const console = useRef<HTMLDivElement>(null);
  const tryOperation = (name: string) => {
    setTriedOperation(name);
    console.current?.focus();
  };
  return (
    <article className="column flex flex-col gap-12 wide:max-w-4xl px-4 pt-6 pb-8 sm:px-0 sm:pt-10">
      <header className="flex max-w-2xl flex-col gap-3">
        <h1 className="text-3xl font-extrabold tracking-tight sm:text-4xl">{t("public.devTitle")}</h1>
        <p className="text-lg text-soft">{t("public.devLead")}</p>
        <Contents />
      </header>
      <Quickstart />
      <McpClients />
      <ProseSection id="keys" title={t("public.keys")}>
        <p className="max-w-2xl">{t("public.keysDescription")}</p>
        <Scopes />
      </ProseSection>
      <ProseSection id="limits" title={t("public.limits")}>
        <p className="max-w-2xl">
          <RichText
            text="public.limitsDescription"
            values={graduationValues}
            parts={{
              policy: (
                <a href={documents.policy} className={inlineLink}>
                  {" "}
                </a>
              ),
            }}
          />
        </p>
        <Tiers />
      </ProseSection>
      <div ref={console} tabIndex={-1} className="scroll-mt-4 outline-none">
        <ProseSection id="console" title={t("public.console")}>
          <p className="max-w-2xl">{t("public.consoleDescription")}</p>
          {triedOperation === null ? (
            <Button variant="primary" className="self-start" onClick={() => setTriedOperation("listPosts")}>
              {t("public.openConsole")}
            </Button>
          ) : (
            <Console
              key={triedOperation}
              initialOperation={triedOperation}
              fallback={<Skeleton className="h-80 w-full" />}
              onClose={() => setTriedOperation(null)}
            />
          )}
        </ProseSection>
      </div>
      <OperationReference onTry={tryOperation} />
      <MachineDocuments />
    </article>
  );
}

const graduationValues = {
  days: graduation.standard.days,
  writes: graduation.standard.writes,
  trustedDays: graduation.trusted.days,
  trustedWrites: graduation.trusted.writes,
};

function Contents() {
  const { t } = useText();
  const sections = ["quickstart", "mcp", "keys", "limits", "console", "operations", "documents"] as const;
  return (
    <nav aria-label={t("public.contents")} className="mt-2 flex flex-wrap gap-2">
      {sections.map((section) => (
        <a
          key={section}
          href={`#${section}`}
          className="inline-flex min-h-10 items-center rounded-full border px-4 text-sm font-semibold text-soft hover:bg-sunken hover:text-ink"
        >
          {t(`public.${section}`)}
        </a>
      ))}
    </nav>
  );
}

const cellClass = "border-t px-4 py-3 align-top";

function Scopes() {
  const { t } = useText();
  return (
    <div className="card overflow-x-auto">
      <table className="w-full text-start text-sm">
        <thead className="text-soft">
          <tr>
            <th scope="col" className="px-4 py-3 text-start font-semibold">
              {t("public.scope")}
            </th>
            <th scope="col" className="px-4 py-3 text-start font-semibold">
              {t("public.allows")}
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(scopes).map(([name, description]) => (
            <tr key={name}>
              <th scope="row" className={`${cellClass} text-start font-mono font-medium whitespace-nowrap`}>
                {name}
              </th>
              <td className={cellClass}>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Tiers() {
  const { t, locale } = useText();
  const number = new Intl.NumberFormat(locale);
  return (
    <div className="card overflow-x-auto">
      <table className="w-full text-sm">
        <thead className="text-soft">
          <tr>
            <th scope="col" className="px-4 py-3 text-start font-semibold">
              {t("public.quota")}
            </th>
            {tierNames.map((tier) => (
              <th
                key={tier}
                scope="col"
                className="px-2 py-3 text-end font-mono text-xs font-semibold sm:px-4"
              >
                {tier}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {quotaTable.map(({ name, seconds, counts }) => (
            <tr key={name}>
              <th scope="row" className={`${cellClass} text-start font-medium`}>
                <span className="font-mono">{name}</span>
                <span className="block font-normal text-soft">
                  {counts}, {t(seconds === 60 ? "public.perMinute" : "public.perDay")}
                </span>
              </th>
              {tierNames.map((tier) => (
                <td key={tier} className="border-t px-2 py-3 text-end align-top tabular-nums sm:px-4">
                  {number.format(tiers[tier][name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The same as machine-readable documents. */
function MachineDocuments() {
  const { t } = useText();
  const baseUrl = useBaseUrl();
  const shown = [
    "openApi",
    "reference",
    "summary",
    "skill",
    "actions",
    "plainReference",
    "agentCard",
    "catalog",
    "policy",
  ] as const;
  return (
    <ProseSection id="documents" title={t("public.documents")}>
      <ul className="card">
        {shown.map((name) => (
          <li
            key={name}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-t px-4 py-3 first:border-t-0"
          >
            <span>
              <ContractText text={t(`public.document.${name}`)} />
            </span>
            <a
              href={documents[name]}
              className={`${inlineLink} inline-block min-h-6 content-center font-mono text-sm wrap-anywhere`}
            >
              {baseUrl}
              {documents[name]}
            </a>
          </li>
        ))}
      </ul>
    </ProseSection>
  );
}
