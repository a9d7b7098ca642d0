import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN, type Operator, textOf } from "./fixtures/operator.ts";

let merchant: MerchantFixture;
let operator: Operator;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
  operator = await logInOperator(merchant);
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

function failLedger(): void {
  const fail = async () => {
    throw new Error("The database is down at 10.0.0.7.");
  };
  Object.assign(merchant.ledger, { listPayments: fail, paymentStatistics: fail });
}

const open = (path: string) => () => operator.open(`/operators${path}`);
const faults: readonly [status: number, name: string, send: () => Promise<Response>, heading: string][] = [
  [404, "an address without a page", open("/nowhere"), "Cette page n’existe pas."],
  [404, "a payment that is not there", open("/payments/none"), "Ce paiement n’est pas connu ici"],
  [400, "an address that cannot be decoded", open("/payments/%E0%A4%A"), "Cette adresse est illisible"],
  [400, "a cursor that was changed", open("/payments?after=nonsense"), "Cette adresse est illisible"],
  [
    413,
    "a form that is too long",
    () => operator.post("/operators/payments/1/refund", { reason: "x".repeat(100_000) }),
    "L’envoi est trop grand",
  ],
  [503, "a ledger that is down", open("/payments"), "Le registre ne répond pas"],
];

describe("the pages of errors", () => {
  test.each(faults)(
    "the page for %i, %s, has the style, the language, all headers and a way back",
    async (...fault) => {
      const [status, , send, heading] = fault;
      operator.cookies.set("tillkit_language", "fr");
      if (status === 503) failLedger();
      const answer = await send();
      expect(answer.status).toBe(status);
      const { headers } = answer;
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect([headers.get("x-frame-options"), headers.get("cache-control")]).toEqual(["DENY", "no-store"]);
      expect([headers.get("referrer-policy"), headers.get("content-language")]).toEqual(["no-referrer", "fr"]);
      const page = await answer.clone().text();
      expect(page).toContain("<style>");
      expect(page).toMatch(/<a class="button[^"]*" href="\/operators(\/live|\/test)?">Vers l’accueil/);
      expect(await textOf(answer)).toContain(heading);
      expect(page).not.toContain("10.0.0.7");
    },
  );
});
