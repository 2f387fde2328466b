import { createECDH } from "node:crypto";
import { expect, test } from "vitest";
import { decrypt } from "./push-service.ts";

test("decrypts the example of RFC 8291", () => {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url");
  const message =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
  const auth = Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url");
  expect(decrypt(Buffer.from(message, "base64url"), pair, auth)).toBe(
    "When I grow up, I want to be a watermelon",
  );
});
