import { documents } from "@tandem/contract/documents";
import { clientAuthMethods, grantTypes, oauthPaths } from "@tandem/contract/oauth";
import { locales } from "@tandem/web/shared/locales";
import { protectedPaths } from "../features/oauth/resources.ts";
import { oauthScopes } from "../features/oauth/scopes.ts";

const signingAlgorithms = ["RS256", "PS256", "ES256", "Ed25519", "EdDSA"];

/** RFC 8414: the authorization server. */
export function serverMetadata(baseUrl: string): object {
  const at = (path: string) => `${baseUrl}${path}`;
  return {
    issuer: baseUrl,
    authorization_endpoint: at(oauthPaths.authorization),
    token_endpoint: at(oauthPaths.token),
    registration_endpoint: at(oauthPaths.registration),
    revocation_endpoint: at(oauthPaths.revocation),
    device_authorization_endpoint: at(oauthPaths.device_authorization),
    scopes_supported: oauthScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: clientAuthMethods,
    token_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
    revocation_endpoint_auth_methods_supported: clientAuthMethods,
    revocation_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: at(documents.reference),
    op_policy_uri: at(documents.policy),
    ui_locales_supported: Object.keys(locales),
    protected_resources: protectedPaths.map((path) => at(path)),
  };
}

/** RFC 9728: a protected resource, and who issues tokens for it. */
export function resourceMetadata(baseUrl: string, path: string): object {
  return {
    resource: `${baseUrl}${path}`,
    resource_name: "Tandem",
    authorization_servers: [baseUrl],
    scopes_supported: oauthScopes,
    bearer_methods_supported: ["header"],
    resource_documentation: `${baseUrl}${documents.reference}`,
    resource_policy_uri: `${baseUrl}${documents.policy}`,
  };
}
