import { verifySignature, webcrypto } from "http-message-sig";
import { expect, test } from "vitest";
import { signatureAgentOf } from "./signature-agent.ts";

/** `test-key-ed25519` of RFC 9421, appendix B.1.4. */
const jwk = { kty: "OKP", crv: "Ed25519", x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs" };
const agent = "https://signature-agent.test";
const keyid = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";

interface Vector {
  request: { method: string; targetUri: string };
  fields: Record<string, string>;
  /** Seconds since 1970. */
  now: number;
  signer?: string;
}

const vectors: Record<string, Vector> = {
  "RFC 9421, B.2.6": {
    request: { method: "POST", targetUri: "https://example.com/foo?param=Value&Pet=dog" },
    fields: {
      date: "Tue, 20 Apr 2021 02:07:55 GMT",
      "content-type": "application/json",
      "content-length": "18",
      "signature-input": `sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`,
      signature:
        "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:",
    },
    now: 1618884473,
  },
  "draft-ietf-webbotauth-httpsig-protocol": {
    request: { method: "GET", targetUri: "https://example.com/" },
    fields: {
      "signature-agent": `agent2="${agent}"`,
      "signature-input": `sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${keyid}";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
      signature:
        "sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:",
    },
    now: 1735689600,
    signer: agent,
  },
  "the same, with the older form of Signature-Agent": {
    request: { method: "GET", targetUri: "https://example.com/" },
    fields: {
      "signature-agent": `"${agent}"`,
      "signature-input": `sig2=("@authority" "signature-agent");created=1735689600;keyid="${keyid}";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"`,
      signature:
        "sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:",
    },
    now: 1735689600,
    signer: agent,
  },
};

test.each(Object.entries(vectors))(
  "the test vector of %s is verified, and not after a change",
  async (_, vector) => {
    const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
    const verify = (signed: Vector["fields"]) => {
      const fields = Object.entries(signed).map(([name, value]) => ({ name, value }));
      return verifySignature(
        { kind: "request", ...vector.request, fields },
        {
          policy: {
            algorithms: ["ed25519"],
            requiredComponents: ["@authority"],
            requiredParameters: ["keyid"],
            now: vector.now,
          },
          resolveVerifier: () => webcrypto.verifier(key),
        },
      );
    };
    const { label, components } = await verify(vector.fields);
    if (vector.signer)
      expect(signatureAgentOf(vector.fields["signature-agent"], label, components)).toBe(agent);
    const later = vector.fields["signature-input"]?.replace(/created=(\d+)\d/, "created=$10") ?? "";
    const changed = later.replace(/keyid="(.)/, 'keyid="x');
    await expect(verify({ ...vector.fields, "signature-input": changed })).rejects.toThrow(
      "verification failed",
    );
  },
);
