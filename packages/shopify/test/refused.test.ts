import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AppWorld, openAppWorld } from "./world.ts";

let world: AppWorld;
beforeEach(async () => {
  world = await openAppWorld();
});
afterEach(async () => {
  await world.close();
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

async function post(
  body: unknown,
  more: Readonly<Record<string, string | null>> = {},
  path = "payment",
  { url }: Pick<AppWorld, "url"> = world,
) {
  const sent = Object.entries({ ...headers, ...more }).filter((entry): entry is [string, string] => entry[1] !== null);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await fetch(`${url}/shopify/${path}`, { method: "POST", headers: sent, body: text });
}

const callsToShopify = () => world.shop.record.calls.filter(({ field }) => field !== "paymentsAppConfigure");

describe("a payment that Shopify posts", () => {
  test("is one row and one answer, whatever is new in it", async () => {
    const first = await post({ ...payment, a_field_of_next_year: { x: 1 } });
    expect(first.status).toBe(200);
    const { redirect_url } = (await first.json()) as { redirect_url: string };
    expect(redirect_url).toMatch(new RegExp(`^${world.url}/pay/[\\w.-]+$`));
    expect(redirect_url.length).toBeLessThan(8_192);
    await world.clock.advance(3_600_000);
    const again = await post(payment);
    expect(await again.json()).toEqual({ redirect_url });
    expect(await world.rows("shopify-payment")).toBe(1);
    expect(callsToShopify()).toEqual([]);
  });

  test("leaves nothing of the customer in the ledger but the language", async () => {
    await post(payment);
    const rows = JSON.stringify(await world.ledger.records.list({ kind: "shopify-payment", limit: 10 }));
    expect(rows).toContain('"language":"fr"');
    for (const theirs of ["awa@", "Awa", "5555555555"]) expect(rows).not.toContain(theirs);
    expect(JSON.stringify(world.lines)).not.toContain("awa@");
  });

  test.each([
    [
      "the older place of cancel_url",
      { ...payment, payment_method: { type: "offsite" }, cancel_url: "https://acme.example/c" },
    ],
    ["no customer at all", { ...payment, customer: undefined }],
    ["a customer without a locale", { ...payment, customer: { email: "a@b.example" } }],
    ["a locale that is none", { ...payment, customer: { locale: "<script>" } }],
    ["a whole amount", { ...payment, amount: "12500" }],
    ["cents, where the currency has them", { ...payment, amount: "19.99", currency: "USD" }],
  ])("is taken with %s", async (_what, body) => {
    expect((await post(body)).status).toBe(200);
  });

  test.each([
    ["no JSON", "{", 400],
    ["an empty body", "", 400],
    ["a list", [], 400],
    ["no id", { ...payment, id: undefined }, 400],
    ["an id of a file", { ...payment, id: "../../etc", gid: "gid://shopify/PaymentSession/../../etc" }, 400],
    ["another id in its gid", { ...payment, gid: "gid://shopify/PaymentSession/other" }, 400],
    ["the gid of an order", { ...payment, gid: `gid://shopify/Order/${ID}` }, 400],
    ["no group", { ...payment, group: "" }, 400],
    ["a number as amount", { ...payment, amount: 12500 }, 400],
    ["a negative amount", { ...payment, amount: "-1.00" }, 400],
    ["an amount in exponents", { ...payment, amount: "1e5" }, 400],
    ["a comma in its amount", { ...payment, amount: "12,500.00" }, 400],
    ["test as a text", { ...payment, test: "true" }, 400],
    [
      "a page that is no page",
      { ...payment, payment_method: { type: "offsite", data: { cancel_url: "javascript:alert(1)" } } },
      400,
    ],
    ["no page to go back to", { ...payment, payment_method: { type: "offsite", data: {} } }, 400],
    ["an amount of nothing", { ...payment, amount: "0.00" }, 422],
    ["cents of a currency without cents", { ...payment, amount: "12500.50" }, 422],
    ["a currency that nobody takes", { ...payment, currency: "NGN" }, 422],
    ["an authorization", { ...payment, kind: "authorization" }, 422],
    ["live mode, of a shop with a test key only", { ...payment, test: false }, 422],
  ])("is refused with %s, without a row", async (_what, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect(await world.rows("shopify-payment")).toBe(0);
    expect(callsToShopify()).toEqual([]);
  });

  test.each([
    ["no shop", { "Shopify-Shop-Domain": null }, 400],
    ["an address that is no shop", { "Shopify-Shop-Domain": "evil.example" }, 400],
    ["a shop with a path", { "Shopify-Shop-Domain": "acme.myshopify.com/../evil" }, 400],
    [
      "a shop with an address of another host before it",
      { "Shopify-Shop-Domain": "evil.example#acme.myshopify.com" },
      400,
    ],
    ["no request id", { "Shopify-Request-Id": null }, 400],
    ["no version", { "Shopify-Api-Version": null }, 400],
    ["a shop that never installed the app", { "Shopify-Shop-Domain": "other.myshopify.com" }, 403],
  ])("is refused with %s, without a row", async (_what, change, status) => {
    expect((await post(payment, change)).status).toBe(status);
    expect(await world.rows("shopify-payment")).toBe(0);
  });

  test("that says something else under the same id is refused, and what was posted first stays", async () => {
    await post(payment);
    for (const change of [{ amount: "1.00" }, { currency: "USD", amount: "12500.00" }, { group: "another=" }]) {
      expect((await post({ ...payment, ...change })).status).toBe(409);
    }
    const [row] = await world.ledger.records.list({ kind: "shopify-payment", limit: 10 });
    expect(row?.value).toMatchObject({ amount: "12500.00", currency: "XOF", group: payment.group });
  });

  test("of a shop that took the app away is refused", async () => {
    world.shop.uninstall();
    await world.simulator.webhooks.settled();
    await world.app.work();
    expect((await post(payment)).status).toBe(403);
  });

  test("that is larger than any is refused", async () => {
    expect((await post({ ...payment, junk: "x".repeat(70_000) })).status).toBe(413);
    expect(await world.rows("shopify-payment")).toBe(0);
  });
});

describe("a refund, capture or void that Shopify posts", () => {
  const id = "r0abc";
  const refund = {
    id,
    gid: `gid://shopify/RefundSession/${id}`,
    payment_id: ID,
    amount: "100.00",
    currency: "XOF",
    test: true,
  };

  test("is one row, however often it comes", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(refund, {}, "refund")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(answers.map(() => ({})));
    expect(await world.rows("shopify-money")).toBe(1);
    expect((await post({ ...refund, amount: "200.00" }, {}, "refund")).status).toBe(409);
  });

  test.each([
    ["the gid of another kind", { ...refund, gid: `gid://shopify/VoidSession/${id}` }, "refund"],
    ["no payment", { ...refund, payment_id: undefined }, "refund"],
    ["no amount", { ...refund, amount: undefined }, "refund"],
    ["no amount", { ...refund, gid: `gid://shopify/CaptureSession/${id}`, amount: undefined }, "capture"],
    ["a refund's gid", refund, "void"],
  ])("is refused with %s, without a row", async (_what, body, path) => {
    expect((await post(body, {}, path)).status).toBe(400);
    expect(await world.rows("shopify-money")).toBe(0);
  });
});

test("whoever says for itself that a proxy checked its certificate is refused, without a row", async () => {
  const clientCertificates = { by: "proxy" as const, header: "X-SSL-Client-Verify", trustedProxies: ["10.0.0.1"] };
  const behindProxy = await openAppWorld({ config: { clientCertificates } });
  const forged = { "X-SSL-Client-Verify": "SUCCESS", "X-Forwarded-For": "10.0.0.1" };
  for (const path of ["payment", "refund", "capture", "void"]) {
    expect((await post(payment, forged, path, behindProxy)).status).toBe(401);
  }
  expect([await behindProxy.rows("shopify-payment"), await behindProxy.rows("shopify-money")]).toEqual([0, 0]);
  await behindProxy.close();
});

test("other methods and other addresses are not there", async () => {
  for (const path of ["payment", "refund", "capture", "void", "webhooks"]) {
    expect((await fetch(`${world.url}/shopify/${path}`)).status).toBe(404);
  }
  expect(
    (await fetch(`${world.url}/shopify/order-pay?shop=acme.myshopify.com&checkout_token=abcdefgh1234`)).status,
  ).toBe(404);
});
