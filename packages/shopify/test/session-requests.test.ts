import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AppFixture, openAppFixture } from "./app-fixture.ts";

let fixture: AppFixture;
beforeEach(async () => {
  fixture = await openAppFixture();
});
afterEach(async () => {
  await fixture.close();
});

const ID = "u0nwmSrNntjIWozmNslK5Tlq";
const payment = {
  id: ID,
  gid: `gid://shopify/PaymentSession/${ID}`,
  group: "rZNvy+1jH6Z+BcPqA5U5BSIcnUavBha3C63xBalm+xE=",
  session_id: "4B2dxmle3vGgimS4deUX3+2PgLF2+/0ZWnNsNSZcgdU=",
  amount: "12500.00",
  currency: "XOF",
  test: true,
  merchant_locale: "en",
  payment_method: { type: "offsite", data: { cancel_url: "https://acme.example/1/checkouts/4c94" } },
  proposed_at: "2026-11-22T09:00:00Z",
  customer: {
    email: "awa@example.com",
    phone_number: "5555555555",
    locale: "fr",
    billing_address: { given_name: "Awa" },
  },
  kind: "sale",
};

const headers = {
  "Content-Type": "application/json",
  "Shopify-Shop-Domain": "acme.myshopify.com",
  "Shopify-Request-Id": "8b1f3c7e",
  "Shopify-Api-Version": "2026-07",
};

type PostOptions = {
  readonly path?: "payment" | "refund" | "capture" | "void";
  /** Replaces some of the headers. Null leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly app?: AppFixture;
};

/** Posts a session as Shopify does; unless changed, a payment session to the app of the fixture. */
async function post(body: unknown, { path = "payment", headers: change = {}, app = fixture }: PostOptions = {}) {
  const all = Object.entries({ ...headers, ...change });
  const sentHeaders = all.filter((entry): entry is [string, string] => entry[1] !== null);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await fetch(`${app.url}/shopify/${path}`, { method: "POST", headers: sentHeaders, body: text });
}

const callsToShopify = () => fixture.shop.record.calls.filter(({ field }) => field !== "paymentsAppConfigure");

describe("payment sessions", () => {
  test("a payment session that is posted again has one row and one answer, even with new fields", async () => {
    const first = await post({ ...payment, a_field_of_next_year: { x: 1 } });
    expect(first.status).toBe(200);
    const { redirect_url } = (await first.json()) as { redirect_url: string };
    expect(redirect_url).toMatch(new RegExp(`^${fixture.url}/pay/[\\w.-]+$`));
    expect(redirect_url.length).toBeLessThan(8_192);
    await fixture.clock.advance(3_600_000);
    const again = await post(payment);
    expect(await again.json()).toEqual({ redirect_url });
    expect(await fixture.rows("shopify-payment")).toBe(1);
    expect(callsToShopify()).toEqual([]);
  });

  test("the row of a payment session contains no data of the customer but the language", async () => {
    await post(payment);
    const rows = JSON.stringify(await fixture.ledger.records.list({ kind: "shopify-payment", limit: 10 }));
    expect(rows).toContain('"language":"fr"');
    for (const personal of ["awa@", "Awa", "5555555555"]) expect(rows).not.toContain(personal);
    expect(JSON.stringify(fixture.lines)).not.toContain("awa@");
  });

  test.each([
    [
      "cancel_url in its older place",
      { ...payment, payment_method: { type: "offsite" }, cancel_url: "https://acme.example/c" },
    ],
    ["no customer at all", { ...payment, customer: undefined }],
    ["a customer without a locale", { ...payment, customer: { email: "a@b.example" } }],
    ["an invalid locale", { ...payment, customer: { locale: "<script>" } }],
    ["an amount without decimals", { ...payment, amount: "12500" }],
    ["cents in a currency with cents", { ...payment, amount: "19.99", currency: "USD" }],
  ])("a payment session with %s is accepted", async (_bodyDescription, body) => {
    expect((await post(body)).status).toBe(200);
  });

  test.each([
    ["no JSON", "{", 400],
    ["an empty body", "", 400],
    ["a list in place of an object", [], 400],
    ["no id", { ...payment, id: undefined }, 400],
    ["a path as its id", { ...payment, id: "../../etc", gid: "gid://shopify/PaymentSession/../../etc" }, 400],
    ["another id in its gid", { ...payment, gid: "gid://shopify/PaymentSession/other" }, 400],
    ["the gid of an order", { ...payment, gid: `gid://shopify/Order/${ID}` }, 400],
    ["no group", { ...payment, group: "" }, 400],
    ["a number as amount", { ...payment, amount: 12500 }, 400],
    ["a negative amount", { ...payment, amount: "-1.00" }, 400],
    ["an amount in exponents", { ...payment, amount: "1e5" }, 400],
    ["a comma in its amount", { ...payment, amount: "12,500.00" }, 400],
    ["test as a text", { ...payment, test: "true" }, 400],
    [
      "a cancel_url that is no web page",
      { ...payment, payment_method: { type: "offsite", data: { cancel_url: "javascript:alert(1)" } } },
      400,
    ],
    ["no cancel_url", { ...payment, payment_method: { type: "offsite", data: {} } }, 400],
    ["an amount of zero", { ...payment, amount: "0.00" }, 422],
    ["cents in a currency without cents", { ...payment, amount: "12500.50" }, 422],
    ["an unsupported currency", { ...payment, currency: "NGN" }, 422],
    ["an authorization", { ...payment, kind: "authorization" }, 422],
    ["live mode in a shop with only a test key", { ...payment, test: false }, 422],
  ])("a payment session with %s is refused and stores no row", async (_mistake, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect(await fixture.rows("shopify-payment")).toBe(0);
    expect(callsToShopify()).toEqual([]);
  });

  test.each([
    ["no shop", { "Shopify-Shop-Domain": null }, 400],
    ["a domain of another kind", { "Shopify-Shop-Domain": "evil.example" }, 400],
    ["a shop with a path", { "Shopify-Shop-Domain": "acme.myshopify.com/../evil" }, 400],
    ["a shop behind another host", { "Shopify-Shop-Domain": "evil.example#acme.myshopify.com" }, 400],
    ["no request id", { "Shopify-Request-Id": null }, 400],
    ["no version", { "Shopify-Api-Version": null }, 400],
    ["a shop that has not installed the app", { "Shopify-Shop-Domain": "other.myshopify.com" }, 403],
  ])("a payment session whose headers have %s is refused and stores no row", async (_mistake, change, status) => {
    expect((await post(payment, { headers: change })).status).toBe(status);
    expect(await fixture.rows("shopify-payment")).toBe(0);
  });

  test("a payment session with other values under the same id is refused, and the first one stays", async () => {
    await post(payment);
    for (const change of [{ amount: "1.00" }, { currency: "USD", amount: "12500.00" }, { group: "another=" }]) {
      expect((await post({ ...payment, ...change })).status).toBe(409);
    }
    const [row] = await fixture.ledger.records.list({ kind: "shopify-payment", limit: 10 });
    expect(row?.value).toMatchObject({ amount: "12500.00", currency: "XOF", group: payment.group });
  });

  test("a payment session of a shop that uninstalled the app is refused", async () => {
    fixture.shop.uninstall();
    await fixture.simulator.webhooks.settled();
    await fixture.app.runDue();
    expect((await post(payment)).status).toBe(403);
  });

  test("a payment session that is too large is refused", async () => {
    expect((await post({ ...payment, junk: "x".repeat(70_000) })).status).toBe(413);
    expect(await fixture.rows("shopify-payment")).toBe(0);
  });
});

describe("refund, capture and void sessions", () => {
  const id = "r0abc";
  const refund = {
    id,
    gid: `gid://shopify/RefundSession/${id}`,
    payment_id: ID,
    amount: "100.00",
    currency: "XOF",
    test: true,
  };

  test("a refund session that is posted several times has one row", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(refund, { path: "refund" })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(answers.map(() => ({})));
    expect(await fixture.jobs("shopify.modification")).toHaveLength(1);
    expect((await post({ ...refund, amount: "200.00" }, { path: "refund" })).status).toBe(409);
  });

  test.each([
    ["the gid of another kind", { ...refund, gid: `gid://shopify/VoidSession/${id}` }, "refund" as const],
    ["no payment", { ...refund, payment_id: undefined }, "refund" as const],
    ["no amount", { ...refund, amount: undefined }, "refund" as const],
    ["no amount", { ...refund, gid: `gid://shopify/CaptureSession/${id}`, amount: undefined }, "capture" as const],
    ["the gid of a refund", refund, "void" as const],
  ])("a session request with %s is refused and stores no row", async (_mistake, body, path) => {
    expect((await post(body, { path })).status).toBe(400);
    expect(await fixture.jobs("shopify.modification")).toEqual([]);
  });
});

test("a client that sets the proxy's verification header itself is refused, and no row is stored", async () => {
  const clientCertificates = {
    verifiedBy: "proxy" as const,
    header: "X-SSL-Client-Verify",
    trustedProxies: ["10.0.0.1"],
  };
  const behindProxy = await openAppFixture({ config: { clientCertificates } });
  const forged = { "X-SSL-Client-Verify": "SUCCESS", "X-Forwarded-For": "10.0.0.1" };
  for (const path of ["payment", "refund", "capture", "void"] as const) {
    expect((await post(payment, { path, headers: forged, app: behindProxy })).status).toBe(401);
  }
  expect(await behindProxy.rows("shopify-payment")).toBe(0);
  expect(await behindProxy.jobs("shopify.modification")).toEqual([]);
  await behindProxy.close();
});

test("a GET request to a route for posts, and a route of order mode in offsite mode, answer 404", async () => {
  for (const path of ["payment", "refund", "capture", "void", "webhooks"]) {
    expect((await fetch(`${fixture.url}/shopify/${path}`)).status).toBe(404);
  }
  expect(
    (await fetch(`${fixture.url}/shopify/order-pay?shop=acme.myshopify.com&checkout_token=abcdefgh1234`)).status,
  ).toBe(404);
});
