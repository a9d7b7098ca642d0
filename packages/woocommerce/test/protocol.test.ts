import { describe, expect, it } from "vitest";
import { payLinkUrl, verifyPayLink } from "../src/protocol/pay-link.ts";
import type { LinkSecrets } from "../src/protocol/signature.ts";
import { signCall, verifyCall } from "../src/protocol/signed-call.ts";
import { calls, payLinks } from "./vectors.ts";

const SECRETS: LinkSecrets = [payLinks.secret, payLinks.previousSecret];

describe("pay link vectors", () => {
  it.each(payLinks.signed)("the checkout server signs the pay link of the vector: $title", ({ link, query }) => {
    expect(payLinkUrl("https://pay.example", link, payLinks.secret)).toBe(`https://pay.example/woo/pay?${query}`);
  });

  it.each(payLinks.read)("the checkout server verifies the vector as $result: $title", ({ query, now, result }) => {
    const secretsOf = (storeId: string) => (storeId === payLinks.store ? SECRETS : null);
    expect(verifyPayLink(new URLSearchParams(query), secretsOf, now * 1_000).status).toBe(result);
  });
});

describe("call vectors", () => {
  type CallVector = Pick<(typeof calls.signed)[number], "purpose" | "body" | "headers">;
  const callOf = ({ purpose, body, headers }: CallVector) => ({
    purpose,
    store: headers["X-Tillkit-Store"],
    time: headers["X-Tillkit-Time"],
    body: Buffer.from(body),
  });

  it.each(calls.signed)("the checkout server signs the call of the vector: $title", (vector) => {
    expect(signCall(callOf(vector), calls.secret)).toEqual(vector.headers);
  });

  it.each(calls.read)("the checkout server verifies the vector as $result: $title", (vector) => {
    const signature = vector.headers["X-Tillkit-Signature"];
    expect(verifyCall(callOf(vector), signature, SECRETS, vector.now * 1_000)).toBe(vector.result);
  });
});
