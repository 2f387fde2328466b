import { send } from "@tandem/client/request";
import { type Route, routes } from "@tandem/contract/routes";
import { type ChangeEvent, useState } from "react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { curlOf, KEY_IN_SHELL } from "../../shared/curl.ts";
import { Code } from "../../ui/copy.tsx";
import { Checkbox, Field, Select } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useBaseUrl } from "../../ui/use-base-url.ts";
import { ConsoleField } from "./console-field.tsx";
import { type ConsoleInputs, isComplete, valuesOf } from "./console-values.ts";
import { type FieldInfo, fields, operationAreas } from "./reference.plain.ts";

interface ConsoleResponse {
  status: string;
  headers: string;
  body: string;
}

/** The response headers worth showing: limits, caching and navigation. */
const shownHeaders = ["ratelimit", "ratelimit-policy", "retry-after", "etag", "location", "link"];
/** The most characters of a response to show. */
const MAX_CHARACTERS = 20_000;

const operations = operationAreas.flatMap((area) => area.operations.filter(({ streams }) => !streams));

/** Calls any operation, with the reader's session or with a key, and shows the request and the response. */
export default function Console({ initialOperation }: { initialOperation: string }) {
  const { t } = useText();
  const baseUrl = useBaseUrl();
  const me = useMe();
  const [name, setName] = useState(initialOperation);
  const [inputs, setInputs] = useState<ConsoleInputs>({});
  const [key, setKey] = useState("");
  const [dryRun, setDryRun] = useState(true);
  const [busy, setBusy] = useState(false);
  const [response, setConsoleResponse] = useState<ConsoleResponse | null>(null);
  const operation = operations.find((candidate) => candidate.name === name) ?? operations[0];
  if (!operation) return null;
  const route: Route = routes[operation.name as keyof typeof routes];
  const operationFields: readonly FieldInfo[] = fields[operation.name] ?? [];
  const isDryRun = operation.writes && dryRun;
  const values = valuesOf(operationFields, inputs);
  const run = async () => {
    setBusy(true);
    setConsoleResponse(
      await call(route, values, { key, dryRun: isDryRun, unreachable: t("error.unreachable") }),
    );
    setBusy(false);
  };
  const selectOperation = ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => {
    setName(currentTarget.value);
    setInputs({});
    setConsoleResponse(null);
  };
  const [visibleFields, moreFields] = splitFields(operationFields);
  const renderFields = (list: readonly FieldInfo[]) =>
    list.map((field) => (
      <ConsoleField
        key={`${operation.name}.${field.name}`}
        field={field}
        value={inputs[field.name]}
        onChange={(value) => setInputs({ ...inputs, [field.name]: value })}
      />
    ));
  return (
    <div className="card-flush grid gap-6 p-5 sm:p-6 wide:grid-cols-2">
      <Form
        onSubmit={run}
        busy={busy}
        error={null}
        submitLabel={t(isDryRun ? "public.sendDryRun" : "public.send")}
      >
        <Select
          label={t("public.operation")}
          value={operation.name}
          onChange={selectOperation}
          hint={operation.description}
        >
          {operationAreas.map((area) => (
            <optgroup key={area.name} label={area.name}>
              {area.operations
                .filter(({ streams }) => !streams)
                .map((listed) => (
                  <option key={listed.name} value={listed.name}>
                    {listed.name}
                  </option>
                ))}
            </optgroup>
          ))}
        </Select>
        {renderFields(visibleFields)}
        {moreFields.length > 0 && (
          <details key={operation.name}>
            <summary className="flex min-h-10 items-center font-semibold text-accent">
              {t("public.moreFields")}
            </summary>
            <div className="mt-2 flex flex-col gap-4">{renderFields(moreFields)}</div>
          </details>
        )}
        <Field
          label={t("public.key")}
          hint={t(me ? "public.keyHint" : "public.keyHintAnonymous")}
          type="password"
          autoComplete="off"
          placeholder="tandem_live_…"
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value.trim())}
        />
        {operation.writes && (
          <Checkbox
            label={t("public.dryRun")}
            hint={t("public.dryRunHint")}
            checked={dryRun}
            onChange={({ currentTarget }) => setDryRun(currentTarget.checked)}
          />
        )}
      </Form>
      <div className="flex min-w-0 flex-col gap-4 wide:sticky wide:top-4 wide:self-start">
        <Code
          title={t("public.asCurl")}
          text={curlOf(route, values, { baseUrl, key: key ? KEY_IN_SHELL : null, dryRun: isDryRun })}
        />
        {!isComplete(operationFields, inputs) && (
          <p className="text-sm text-soft">{t("public.missingFields")}</p>
        )}
        <div aria-live="polite">
          {response && (
            <div className="flex flex-col gap-2">
              <Code
                title={`${t("public.response")}: ${response.status}`}
                text={response.headers + response.body}
              />
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

/** How many fields are visible at first. Required ones always are. */
const MIN_VISIBLE_FIELDS = 6;

function splitFields(operationFields: readonly FieldInfo[]): [visible: FieldInfo[], more: FieldInfo[]] {
  const sorted = operationFields.toSorted((a, b) => Number(b.required) - Number(a.required));
  const visibleCount = Math.max(
    MIN_VISIBLE_FIELDS,
    operationFields.filter(({ required }) => required).length,
  );
  return [sorted.slice(0, visibleCount), sorted.slice(visibleCount)];
}

async function call(
  route: Route,
  values: object,
  { key, dryRun, unreachable }: { key: string; dryRun: boolean; unreachable: string },
): Promise<ConsoleResponse> {
  const client = { baseUrl: location.origin, ...(key && { key }) };
  try {
    const response = await send(client, route, values, { dryRun });
    const text = await response.text();
    const headers = shownHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : `${name}: ${value}\n`;
    });
    return {
      status: response.type === "opaqueredirect" ? "302" : `${response.status} ${response.statusText}`.trim(),
      headers: headers.length > 0 ? `${headers.join("")}\n` : "",
      body: prettyJson(text).slice(0, MAX_CHARACTERS),
    };
  } catch (error) {
    return { status: "–", headers: "", body: error instanceof TypeError ? unreachable : String(error) };
  }
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
