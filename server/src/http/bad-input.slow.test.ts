import type { ErrorCode } from "@tandem/contract/errors";
import { targetFields } from "@tandem/contract/moderation-names";
import { isWrite, takesForm, takesJson } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { badJson, badSegments, badTexts, goodJson } from "@tandem/testing/bad-values";
import type { Person } from "@tandem/testing/callers";
import { dump } from "@tandem/testing/dump";
import { type Inputs, makeFullUser } from "@tandem/testing/inputs";
import { type RawResponse, sendRequest } from "@tandem/testing/raw-http";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** JSON that is refused before it is parsed. */
const isTooDeep = /^(\[|\{"a":){100}/;

/** Fields whose bad input has its own code (decisions: request and response shapes). */
const codes: Record<string, ErrorCode> = {
  "signUp.username": "invalid_name",
  "confirmEmail.token": "invalid_token",
  "resetPassword.token": "invalid_token",
  "endDigest.token": "invalid_token",
  "createAgent.username": "invalid_name",
  "createAgent.scopes": "invalid_scope",
  "requestAgent.username": "invalid_name",
  "requestAgent.scopes": "invalid_scope",
  "approveAgentRequest.username": "invalid_name",
  "approveAgentRequest.scopes": "invalid_scope",
  "createCommunity.name": "invalid_name",
  "mintKey.name": "invalid_name",
  "editKey.name": "invalid_name",
  "mintKey.scopes": "invalid_scope",
  "approveAuthorizationRequest.scopes": "invalid_scope",
  "approveAuthorizationRequest.username": "invalid_name",
};

const beyondShape = new Set<unknown>([
  "account_changed",
  "invalid_invitation",
  "invalid_parent",
  "invalid_scope",
  "invalid_source",
  "invalid_token",
  "forbidden",
]);
/** Operations in which a valid field can be rejected in combination with others. */
const senseless = [
  "mute",
  "unmute",
  "followTag",
  "unfollowTag",
  "endAccess",
  "reauthenticate",
  "setCommunityRole",
  "mintKey",
  "createAgent",
  "requestAgent",
  "approveAgentRequest",
  "endSession",
  "addPasskey",
  "changeEmail",
  "changePassword",
  "beginTwoFactor",
  "endTwoFactor",
  "deleteAccount",
  "beginPasskey",
  "removePasskey",
  "subscribeToPush",
];

type Op = (typeof operationList)[number];
const takesOnlyForm = (op: Op) => takesForm(op) && !takesJson(op);
/** The texts of a form with the boundary `x`. */
const formOf = (texts: (readonly [name: string, text: unknown])[]): string => {
  const parts = texts.map(
    ([name, text]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return `${parts.join("")}--x--\r\n`;
};
const withInput = operationList.filter(({ params, query, body }) =>
  [params, query, body].some(({ properties }) => Object.keys(properties).length > 0),
);

describe.each(engines)("bad input on %s", (engine) => {
  let tandem: Tandem;
  let person: Person;
  let inputs: Inputs;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    ({ person, inputs } = await makeFullUser(tandem));
  });
  afterAll(() => tandem.stop());

  /** Sends an operation's valid input with changed or omitted (null) fields, whose values are given as on the wire. */
  function send(op: Op, change: Partial<Record<string, string | null>> = {}): Promise<RawResponse> {
    const good = inputs[op.name as OperationName] as Record<string, unknown>;
    const names = (part: { properties: object }) => Object.keys(part.properties);
    const text = (name: string) =>
      name in change
        ? change[name]
        : good[name] === undefined
          ? null
          : encodeURIComponent(String(good[name]));
    const json = (name: string) => (name in change ? change[name] : JSON.stringify(good[name]));
    const query = names(op.query).filter((name) => text(name) !== null);
    const fields = names(op.body).filter((name) => typeof json(name) === "string");
    const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => String(text(name)));
    const search = [...query.map((name) => `${name}=${text(name)}`), ...(isWrite(op) ? ["dryRun=1"] : [])];
    return sendRequest(tandem.baseUrl, {
      method: op.method,
      path: `${path}?${search.join("&")}`,
      headers: {
        ...person.options.headers,
        "content-type": takesOnlyForm(op) ? "multipart/form-data; boundary=x" : "application/json",
      },
      ...(takesOnlyForm(op)
        ? { body: formOf(fields.map((name) => [name, name in change ? change[name] : good[name]])) }
        : names(op.body).length > 0 && {
            body: `{${fields.map((name) => `"${name}":${json(name)}`).join()}}`,
          }),
    });
  }

  async function refused(op: Op, name: string, values: (string | null)[]): Promise<void> {
    const codeOf = (value: string | null) =>
      (value && isTooDeep.test(value) ? null : codes[`${op.name}.${name}`]) ?? "invalid_input";
    const outcome = async (value: string | null) =>
      describeResponse(value, await send(op, { [name]: value }));
    const responses: string[] = [];
    // At once, except for uploads, of which a client may only have a few.
    if (takesOnlyForm(op)) for (const value of values) responses.push(await outcome(value));
    else responses.push(...(await Promise.all(values.map(outcome))));
    expect(responses).toEqual(values.map((value) => `${short(value)} → 400 ${codeOf(value)} ${name}`));
  }

  if (runsOnceTests(engine))
    test.each(withInput.map((op) => [op.name, op] as const))("%s rejects it in each field", async (_, op) => {
      const before = await dump(tandem.storage);
      for (const [name, schema] of Object.entries(op.params.properties))
        await refused(op, name, badSegments(schema).map(encodeURIComponent));
      for (const [name, schema] of Object.entries(op.query.properties)) {
        const missing = op.query.required?.includes(name) ? [null] : [];
        const broken = ["%ED%A0%80", "%ff", "%c3", "%zz", "%", `1&${name}=1`];
        await refused(op, name, [...badTexts(schema).map(encodeURIComponent), ...broken, ...missing]);
      }
      for (const [name, schema] of Object.entries(op.body.properties)) {
        const missing = op.body.required?.includes(name) ? [null] : [];
        await refused(op, name, [...badJson(schema), ...missing]);
      }
      expect(await dump(tandem.storage)).toEqual(before);
    });

  const refusing = operationList.filter(
    (op) => op.path.startsWith("/api/") && op.access.kind !== "key" && !takesOnlyForm(op),
  );
  if (runsOnceTests(engine))
    test("every operation refuses a field and a query parameter that it doesn't take, and changes nothing", async () => {
      const before = await dump(tandem.storage);
      for (const op of refusing) {
        const good = inputs[op.name as OperationName] as Record<string, unknown>;
        const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(String(good[name])),
        );
        const headers = { ...person.options.headers, "content-type": "application/json" };
        const request = { method: op.method, path, headers };
        const inQuery = { ...request, path: `${path}?nonsense=1` };
        const inBody = { ...request, body: '{"nonsense":1}' };
        for (const sent of isWrite(op) ? [inQuery, inBody] : [inQuery]) {
          const { status, body } = await sendRequest(tandem.baseUrl, sent);
          expect([op.name, status, body.code, body.field]).toEqual([
            op.name,
            400,
            "invalid_input",
            "nonsense",
          ]);
        }
      }
      expect(await dump(tandem.storage)).toEqual(before);
    });

  // SQLite takes whatever passes validation. PostgreSQL fails on a NUL, or a number that doesn't fit its column.
  const bounded = engine === "postgres" ? withInput.filter((op) => !takesOnlyForm(op)) : [];
  test.each(bounded.map((op) => [op.name, op] as const))("%s accepts values at the bounds", async (_, op) => {
    const parts = { ...op.query.properties, ...op.params.properties };
    const edges = Object.entries(op.body.properties).flatMap(([name, schema]) =>
      goodJson(schema).map((value) => [name, value] as const),
    );
    const textEdges = Object.entries(parts).flatMap(([name, schema]) =>
      goodJson(schema).map((value) => [name, encodeURIComponent(String(JSON.parse(value)))] as const),
    );
    const responses = await Promise.all(
      [...edges, ...textEdges].map(async ([name, value]) => {
        const response = await send(op, { [name]: value });
        // A log-in needs one of two names, and this is the only one here.
        if (op.name === "logIn" && name === "username" && value === "null") return null;
        // Without a file, there is nothing to describe.
        if (name === "alt" || name === "alts") return null;
        // This service sends no email.
        if (name === "emailDigest" && value !== '"off"') return null;
        // Neither is possible for a comment.
        if (op.name === "resolveReports" && /^"(remove_(avatar|banner|picture)|close)"$/.test(value))
          return null;
        // It has to be open at the time of publication.
        if (name === "poll" && /has passed/.test(String(response.body.error))) return null;
        // It has to be in the future.
        if (name === "until" && response.body.field === "until") return null;
        // Exactly one of these is allowed, and one is already given.
        if (op.name === "createReport" && name in targetFields) return null;
        if (op.name === "listSimilarPosts" && name === "postId") return null;
        // Unknown ids, scopes or log-ins are valid input.
        const fits =
          [200, 302, 401, 404].includes(response.status) ||
          beyondShape.has(response.body.code) ||
          (senseless.includes(op.name) && response.status === 400);
        return fits ? null : `${name}: ${describeResponse(value, response)}`;
      }),
    );
    expect(responses.filter((response) => response !== null)).toEqual([]);
  });

  const deletes = operationList.filter((op) => op.method === "DELETE" && op.body.required?.length);
  if (runsOnceTests(engine))
    test.each(deletes.map((op) => [op.name, op] as const))(
      "%s accepts its input in the query",
      async (_, op) => {
        const good: Record<string, unknown> = { ...inputs[op.name as OperationName] };
        const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => String(good[name]));
        for (const name of Object.keys(op.params.properties)) delete good[name];
        const call = (change: Record<string, string>) =>
          sendRequest(tandem.baseUrl, {
            method: "DELETE",
            path: `${path}?${new URLSearchParams({ ...(good as Record<string, string>), ...change, dryRun: "1" })}`,
            headers: person.options.headers ?? {},
          });
        expect((await call({})).status).toBe(200);
        for (const [name, schema] of Object.entries(op.body.properties)) {
          for (const value of badTexts(schema))
            expect(describeResponse(value, await call({ [name]: value }))).toBe(
              `${short(value)} → 400 invalid_input ${name}`,
            );
        }
      },
    );

  // form.test.ts covers operations that accept only forms.
  const writes = operationList
    .filter((op) => isWrite(op) && (takesJson(op) || !takesForm(op)))
    .map((op) => [op.name, op] as const);
  if (runsOnceTests(engine))
    test.each(writes)("%s accepts only 0 and 1 for dryRun", async (_, op) => {
      const good = inputs[op.name as OperationName] as Record<string, unknown>;
      const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => String(good[name]));
      for (const dryRun of ["", "2", "true", "yes", "1&dryRun=1"]) {
        const { status, body } = await sendRequest(tandem.baseUrl, {
          method: op.method,
          path: `${path}?dryRun=${dryRun}`,
          headers: { ...person.options.headers, "content-type": "application/json" },
          body: JSON.stringify(good),
        });
        expect([dryRun, status, body.field]).toEqual([dryRun, 400, "dryRun"]);
      }
    });
});

function describeResponse(sent: string | null, { status, body: { code, field } }: RawResponse): string {
  return [short(sent), "→", status, code, field].filter((part) => part !== undefined).join(" ");
}

function short(text: string | null): string {
  if (text === null) return "nothing";
  return text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
