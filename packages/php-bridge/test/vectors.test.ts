import { readFileSync } from "node:fs";
import { type Language, PROVIDERS, providerName } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { type PayLink, payLinkUrl, verifyPayLink } from "../src/pay-link.ts";
import type { LinkSecrets } from "../src/signature.ts";
import { type Purpose, signCall, verifyCall } from "../src/signed-call.ts";

type Base = { readonly secret: string; readonly previousSecret: string; readonly store: string };

/** Times are seconds since 1970. */
type PayLinks = Base & {
  readonly signed: readonly { readonly title: string; readonly link: PayLink; readonly query: string }[];
  readonly read: readonly {
    readonly title: string;
    readonly now: number;
    readonly query: string;
    readonly result: string;
  }[];
};

type CallVector = {
  readonly title: string;
  readonly purpose: Purpose;
  readonly body: string;
  readonly headers: Readonly<Record<"X-Tillkit-Store" | "X-Tillkit-Time" | "X-Tillkit-Signature", string>>;
};

type Calls = Base & {
  readonly signed: readonly CallVector[];
  readonly read: readonly (CallVector & { readonly now: number; readonly result: string })[];
};

const payLinks: PayLinks = read("pay-links");
const calls: Calls = read("calls");

const providers: Readonly<Record<string, Readonly<Record<Language, string>>>> = read("providers");

const SECRETS: LinkSecrets = [payLinks.secret, payLinks.previousSecret];

describe("pay link vectors", () => {
  it.each(payLinks.signed)("the checkout server signs the pay link of the vector: $title", ({ link, query }) => {
    expect(payLinkUrl("https://pay.example", link, payLinks.secret)).toBe(`https://pay.example/bridge/v1/pay?${query}`);
  });

  it.each(payLinks.read)("the checkout server verifies the vector as $result: $title", ({ query, now, result }) => {
    const secretsOf = (storeId: string) => (storeId === payLinks.store ? SECRETS : null);
    expect(verifyPayLink(new URLSearchParams(query), secretsOf, now * 1_000).status).toBe(result);
  });
});

describe("provider vectors", () => {
  it("have each way to pay that has a name, and one that the service offers since today", () => {
    expect(Object.keys(providers)).toEqual([...PROVIDERS, "ORANGE_MONEY"]);
  });

  it.each(Object.entries(providers))("the operators and the orders of all hosts name %s alike", (provider, names) => {
    expect({ en: providerName(provider, "en"), fr: providerName(provider, "fr") }).toEqual(names);
  });
});

describe("call vectors", () => {
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

function read<Vectors>(name: string): Vectors {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf8"));
}
