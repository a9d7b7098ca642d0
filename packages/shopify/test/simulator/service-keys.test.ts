import { createServiceClient } from "@tillkit/client";
import { expect, test } from "vitest";
import { type Fixture, openFixture, TOTAL } from "./fixture.ts";

/** The webhooks of this shop that the service has for the test environment. */
async function listWebhooks({ sandbox }: Fixture) {
  const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const found = [];
  for await (const endpoint of client.webhooks.list()) found.push(endpoint);
  return found;
}

/** The text of a page, with plain spaces in place of the no-break spaces of French. */
const pageOf = async (answer: Response) => (await answer.text()).replaceAll("\u00a0", " ");

test("the app registers the webhook for an owner who enters only an API key, and the webhook reports the next payment", async () => {
  const fixture = await openFixture({ withoutServiceKeys: true });
  const answer = await fixture.settings({ testKey: fixture.sandbox.keys.test.secret });
  const { origin } = fixture.shop;
  const { clientId } = fixture.simulator.app;
  // The owner goes on to the page on which Shopify activates the payment method.
  const activation = `${origin}/services/payments_partners/gateways/${clientId}/settings`;
  expect([answer.status, answer.headers.get("location")]).toEqual([303, activation]);
  expect((await listWebhooks(fixture)).map(({ url }) => url)).toEqual([`${fixture.url}/hooks/service/test_acme`]);
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  const payment = await fixture.visit(session);
  await fixture.pay(payment);
  await fixture.until(async () => (await fixture.payment(session)).state === "recorded");
  const entries = await fixture.ledger.timeline({ paymentId: payment.id });
  expect(entries.map(({ actor }) => actor)).toContain("webhook");
});

test("the app keeps the registered webhook and replaces its signing secret when the owner enters the API key again", async () => {
  const fixture = await openFixture({ withoutServiceKeys: true });
  for (let times = 0; times < 2; times += 1)
    expect((await fixture.settings({ testKey: fixture.sandbox.keys.test.secret })).status).toBe(303);
  expect(await listWebhooks(fixture)).toHaveLength(1);
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  const payment = await fixture.visit(session);
  await fixture.pay(payment);
  await fixture.until(async () => (await fixture.payment(session)).state === "recorded");
});

test("an API key that the service does not accept is not saved, and the page tells the owner", async () => {
  const fixture = await openFixture({ withoutServiceKeys: true });
  const answer = await fixture.settings({ testKey: "svc_sk_test_0123456789abcdef", testSecret: "whsec_0123456789" });
  expect(answer.status).toBe(422);
  expect(await pageOf(answer)).toContain("n’accepte pas la clé saisie pour le mode test");
  expect(fixture.shop.gateway.ready).toBe(false);
});

test("an API key is saved although the signing secret is that of another webhook, and the page warns that no webhook leads to this app", async () => {
  const fixture = await openFixture({ withoutServiceKeys: true });
  const apiKey = fixture.sandbox.keys.test.secret;
  const answer = await fixture.settings({ testKey: apiKey, testSecret: "whsec_of_another_address" });
  expect(answer.headers.get("location")).toBe("/shopify/settings?done=no_webhook");
});

test("an owner removes the API key, Shopify learns that the shop is not ready, and a new payment is refused", async () => {
  const fixture = await openFixture();
  expect(fixture.shop.gateway.ready).toBe(true);
  const answer = await fixture.settings({ do: "remove_test" });
  expect(answer.headers.get("location")).toBe("/shopify/settings?done=removed");
  expect(fixture.shop.gateway.ready).toBe(false);
  expect((await fixture.shop.startPayment({ total: TOTAL })).answer.status).toBe(422);
});

test("an API key cannot be removed while a payment that needs the key is not finished", async () => {
  const fixture = await openFixture();
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  const payment = await fixture.visit(session);
  const answer = await fixture.settings({ do: "remove_test" });
  expect(answer.status).toBe(422);
  expect(await pageOf(answer)).toContain("ne sont pas terminés et ont encore besoin de cette clé");
  await fixture.pay(payment);
  await fixture.until(async () => (await fixture.payment(session)).state === "recorded");
  expect((await fixture.settings({ do: "remove_test" })).status).toBe(303);
});
