import { type Audit, openFactStore, openReaders, readAuditConfig, runAudit } from "@tillkit/audit";
import { systemClock } from "@tillkit/core";
import { beforeAll, describe, expect, it } from "vitest";
import { expectOk } from "../http.ts";
import type { ScenarioFixture } from "../scenario-fixture.ts";

const DAY_MS = 86_400_000;
/** Stands for the provider of somebody else's plugin: Medusa's own, which knows nothing of the service. */
const OTHER_PROVIDER = "pp_system_default";

/** `tillkit audit` beside a plugin that is none of ours, by Medusa's admin API. */
export function auditBesideAnotherPlugin(fixture: () => ScenarioFixture): void {
  describe("an audit of a store whose orders another plugin brought", () => {
    const orders = { heard: "", unheard: "", without: "" };
    let audited: Audit;

    beforeAll(async () => {
      await allowOtherProvider(fixture());
      orders.heard = await order(fixture());
      orders.unheard = await order(fixture());
      orders.without = await order(fixture());
      const transaction = await pay(fixture(), orders.heard);
      await capture(fixture(), orders.heard);
      const { owner } = fixture();
      await expectOk(
        owner.call("POST", `/admin/orders/${orders.heard}`, { metadata: { transaction_id: transaction } }),
      );
      await pay(fixture(), orders.unheard);
      await capture(fixture(), orders.without);
      audited = await auditStore(fixture());
    });

    const findingsOf = (id: string) =>
      audited.findings
        .filter((finding) => finding.orders.some((shown) => shown.id === id))
        .map(({ kind, certainty }) => `${kind} ${certainty}`);

    it("nothing is found at an order that names its transaction and shows it as paid", () => {
      expect(findingsOf(orders.heard)).toEqual([]);
    });

    it("a payment that names its order, of which the store was never told, is found for certain", () => {
      expect(findingsOf(orders.unheard)).toEqual(["paid_not_shown certain"]);
    });

    it("an order that is shown as paid by the same provider, and has no money, is found", () => {
      expect(findingsOf(orders.without)).toEqual(["shown_without_money certain"]);
    });

    it("orders that our plugin brought are in it as well, and match", async () => {
      const { orderId } = await fixture().placeOrder("xof", "wax-cloth");
      audited = await auditStore(fixture());
      expect(findingsOf(orderId)).toEqual([]);
    });
  });
}

async function allowOtherProvider({ owner }: ScenarioFixture): Promise<void> {
  type Regions = { regions: { id: string; currency_code: string; payment_providers: { id: string }[] }[] };
  const { regions } = await expectOk(owner.call<Regions>("GET", "/admin/regions?fields=*payment_providers"));
  const region = regions.find(({ currency_code: currency }) => currency === "xof");
  const known = region?.payment_providers.map(({ id }) => id) ?? [];
  const body = { payment_providers: [...new Set([...known, OTHER_PROVIDER])] };
  await expectOk(owner.call("POST", `/admin/regions/${region?.id}`, body));
}

async function order({ shopper }: ScenarioFixture): Promise<string> {
  const cart = await shopper.fillCart("xof", "wax-cloth");
  type Collection = { payment_collection: { id: string } };
  const created = shopper.call<Collection>("POST", "/store/payment-collections", { cart_id: cart.id });
  const { payment_collection: collection } = await expectOk(created);
  const path = `/store/payment-collections/${collection.id}/payment-sessions`;
  await expectOk(shopper.call("POST", path, { provider_id: OTHER_PROVIDER }));
  const { body, text } = await shopper.completeCart(cart.id);
  if (body.order === undefined) throw new Error(`The cart became no order: ${text}`);
  return body.order.id;
}

/** Pays at the service as the usual plugin asks for it: with the order's id in the metadata. */
async function pay({ service, sandbox, owner }: ScenarioFixture, orderId: string): Promise<string> {
  const { total } = await owner.order(orderId);
  const body = { amount: total, currency_code: "XOF" as const, title: "Order", metadata: { order_id: orderId } };
  const { data } = await service.checkoutSessions.create(body);
  const paid = await sandbox.control.paySession(data.id, { method: "wave", outcome: "completed" });
  return String(paid.transaction_id);
}

async function capture({ owner }: ScenarioFixture, orderId: string): Promise<void> {
  const [payment] = await owner.payments(orderId);
  await expectOk(owner.call("POST", `/admin/payments/${payment?.id}/capture`, {}));
}

async function auditStore({ owner, sandbox, webhookUrl }: ScenarioFixture): Promise<Audit> {
  type Key = { api_key: { token: string } };
  const created = owner.call<Key>("POST", "/admin/api-keys", { title: `Audit ${Date.now()}`, type: "secret" });
  const { api_key: key } = await expectOk(created);
  const config = readAuditConfig({
    service: { url: sandbox.baseUrl, key: sandbox.keys.test.secret },
    shops: [{ platform: "medusa", url: new URL(webhookUrl).origin, token: key.token }],
  });
  // The last minutes are left out, because a webhook may be on its way.
  const now = Date.now() + DAY_MS;
  const store = await openFactStore("sqlite::memory:");
  const readers = await openReaders(config);
  try {
    const { signal } = new AbortController();
    return await runAudit({ ...readers, from: now - 90 * DAY_MS, until: now, now, clock: systemClock, store, signal });
  } finally {
    await readers.close();
    await store.close();
  }
}
