import { ChevronRight } from "lucide-react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { ContractText, ProseSection } from "./prose.tsx";
import { type OperationInfo, operationAreas } from "./reference.plain.ts";

/** All operations, by area. */
export function OperationReference({ onTry }: { onTry(name: string): void }) {
  const { t } = useText();
  return (
    <ProseSection id="operations" title={t("public.operations")}>
      <p className="max-w-2xl">{t("public.operationsDescription")}</p>
      <div className="card divide-y">
        {operationAreas.map(({ name, description, operations }) => (
          <details key={name} className="group">
            <summary className="flex min-h-14 list-none items-center gap-3 px-4 py-3 hover:bg-sunken">
              <ChevronRight
                className="size-5 shrink-0 text-soft transition group-open:rotate-90 rtl:rotate-180 rtl:group-open:rotate-90"
                aria-hidden="true"
              />
              <span className="min-w-0 flex-1">
                <span className="font-semibold">{name}</span>
                <span className="block text-sm text-soft">{description}</span>
              </span>
              <span className="text-sm text-soft tabular-nums">{operations.length}</span>
            </summary>
            <ul className="border-t">
              {operations.map((operation) => (
                <OperationItem key={operation.name} operation={operation} onTry={onTry} />
              ))}
            </ul>
          </details>
        ))}
      </div>
    </ProseSection>
  );
}

const methodColors: Record<string, string> = {
  GET: "bg-accent-soft text-accent",
  POST: "bg-agent-soft text-agent",
  PATCH: "bg-person-soft text-person",
  DELETE: "bg-danger-soft text-danger",
};

function OperationItem({ operation, onTry }: { operation: OperationInfo; onTry(name: string): void }) {
  const { t } = useText();
  const { name, method, path, description, caller, scope, streams } = operation;
  return (
    <li className="flex flex-col gap-2 border-t px-4 py-4 first:border-t-0 sm:ps-12">
      <p className="flex flex-wrap items-center gap-2">
        <span className={`rounded px-2 py-0.5 font-mono text-xs font-bold ${methodColors[method] ?? ""}`}>
          {method}
        </span>
        <code className="font-mono text-sm font-medium wrap-anywhere">{path}</code>
      </p>
      <p className="max-w-2xl text-sm">
        <ContractText text={description} />
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <code className="font-mono">{name}</code>
        <span>{scope ?? t(`public.caller.${caller}`)}</span>
        {!streams && (
          <Button
            size="small"
            className="ms-auto min-h-10"
            onClick={() => onTry(name)}
            aria-label={t("public.tryNamed", { name })}
          >
            {t("public.try")}
          </Button>
        )}
      </p>
    </li>
  );
}
