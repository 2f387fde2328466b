import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { isWrite, type Operation, scopesOf } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { readableByEveryKey } from "@tandem/contract/scopes";

const route = ({ method, path }: Operation) => `\`${method} ${path}\``;
const forEveryKey = operationList.filter(({ access }) => access.kind === "caller");
const readWithScope = operationList.flatMap((op) =>
  op.access.kind === "scope" && !isWrite(op)
    ? [
        `${route(op)} (${scopesOf(op.access)
          .map((scope) => `\`${scope}\``)
          .join(" or ")})`,
      ]
    : [],
);
const routesOf = (write: boolean) =>
  forEveryKey
    .filter((op) => isWrite(op) === write)
    .map(route)
    .join(", ");

/** The parameters of public lists that limit them to what is the caller's, with the scope that keys need. */
const ownLists = operationList.flatMap((op) =>
  Object.entries<JsonSchemaNode>(op.query.properties).flatMap(([name, schema]) => {
    const address = `\`${op.method} ${op.path}?${name}=1\``;
    return schema["x-needs-caller"] ? [{ address, scope: schema["x-needs-scope"] }] : [];
  }),
);
const ownForEveryKey = ownLists.flatMap(({ address, scope }) => (scope ? [] : [address]));
const ownWithScope = ownLists.flatMap(({ address, scope }) => (scope ? [`${address} (\`${scope}\`)`] : []));

/** What a key can read, in words and as the operations themselves say it. */
export const keyAccess = `Every key can read what is public and ${readableByEveryKey} (${[routesOf(false), ...ownForEveryKey].join(", ")}), and mark notifications as read (${routesOf(true)}). Its scopes say what else it can do. These reads need a scope: ${[...readWithScope, ...ownWithScope].join(", ")}. Messages, friends, moderation decisions and exports need a session.`;
