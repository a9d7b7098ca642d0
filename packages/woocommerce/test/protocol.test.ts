import { describe, expect, it } from "vitest";
import { payLinkUrl, readPayLink } from "../src/protocol/pay-link.ts";
import type { LinkSecrets } from "../src/protocol/signature.ts";
import { readCall, signCall } from "../src/protocol/signed-call.ts";
import { calls, payLinks } from "./vectors.ts";

const SECRETS: LinkSecrets = [payLinks.secret, payLinks.previousSecret];

describe("a pay link", () => {
  it.each(payLinks.signed)("is signed as the plugin signs it: $title", ({ link, query }) => {
    expect(payLinkUrl("https://pay.example", link, payLinks.secret)).toBe(`https://pay.example/woo/pay?${query}`);
  });

  it.each(payLinks.read)("$say: $title", ({ query, now, say }) => {
    const secretsOf = (storeId: string) => (storeId === payLinks.store ? SECRETS : null);
    expect(readPayLink(new URLSearchParams(query), secretsOf, now * 1_000).say).toBe(say);
  });
});

describe("a call between plugin and companion", () => {
  it.each(calls.signed)("is signed as the other side signs it: $title", ({ purpose, body, headers }) => {
    const call = {
      purpose,
      store: headers["X-Tillkit-Store"],
      time: headers["X-Tillkit-Time"],
      body: Buffer.from(body),
    };
    expect(signCall(call, calls.secret)).toEqual(headers);
  });

  it.each(calls.read)("$say: $title", ({ purpose, body, headers, now, say }) => {
    const call = {
      purpose,
      store: headers["X-Tillkit-Store"],
      time: headers["X-Tillkit-Time"],
      body: Buffer.from(body),
    };
    expect(readCall(call, headers["X-Tillkit-Signature"], SECRETS, now * 1_000)).toBe(say);
  });
});
