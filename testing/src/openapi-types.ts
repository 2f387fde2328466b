import openapiTS, { astToString } from "openapi-typescript";

/** The types that a public generator makes of an OpenAPI document. */
export async function typesOf(document: object): Promise<string> {
  return astToString(await openapiTS(JSON.stringify(document)));
}
