import type { Order, StoreAdapter } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { afterEach, describe, expect, test } from "vitest";
import { createCheckoutServer } from "../src/index.ts";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { openSmallShop, shopOrder } from "./fixtures/small-shop.ts";

const SHOP = "acme.example";
const WEBHOOK_SECRET = "whsec_of_acme_0123456789";

const merchants: MerchantFixture[] = [];
afterEach(async () => {
  await Promise.all(merchants.splice(0).map((merchant) => merchant.close()));
});

/** A host whose shops and keys are added and removed at run time. */
async function openHost() {
  const shops = new Map<string, StoreAdapter>();
  const stores = { find: async (id: string) => shops.get(id) ?? null, list: async () => [...shops.keys()] };
  const merchant = await openMerchant({ options: { stores, credentials: "stored" } });
  merchants.push(merchant);
  const { storedCredentials } = merchant.checkout;
  if (!storedCredentials) throw new Error("The checkout server stores no credentials.");
  const order: Order = { ...shopOrder, ref: { storeId: SHOP, orderId: "group/+=1" }, attempt: "gid://shop/Attempt/1" };
  const addKeyFor = (storeIds: readonly string[]) =>
    storedCredentials.put({
      id: "acme-test",
      storeIds,
      apiKey: "svc_sk_test_0123456789abcdefghijklmnopqrstuv",
      baseUrl: merchant.service.baseUrl,
      endpointId: "acme_test",
      webhookSecrets: [WEBHOOK_SECRET],
    });
  const addShop = () => {
    const shop = openSmallShop();
    shop.order = order;
    shops.set(SHOP, shop.adapter);
    return shop;
  };
  const path = merchant.checkout.payLink(order).slice(merchant.url.length);
  return { merchant, shops, addKeyFor, addShop, order, path };
}

describe("a store that is added at run time", () => {
  test("a pay link that was made before its store was added opens a session with the key of that store", async () => {
    const { merchant, addKeyFor, addShop, path } = await openHost();
    expect((await merchant.get(path)).status).toBe(500);
    addShop();
    await addKeyFor([SHOP]);
    const answer = await merchant.get(path);
    expect(answer.status).toBe(303);
    const session = merchant.service.newest();
    // The checkout URL of the fake service ends with the first eight characters of the session's id.
    expect(answer.headers.get("location")).toContain(`/cs_${session.id.slice(0, 8)}`);
    expect(session.body).toMatchObject({ metadata: { tillkit_store: SHOP } });
  });

  test("the webhook endpoint of a store that is added at run time exists once the store has a key", async () => {
    const { merchant, addKeyFor, addShop } = await openHost();
    addShop();
    const postWithWrongSignature = async () =>
      (
        await fetch(`${merchant.url}/hooks/service/acme_test`, {
          method: "POST",
          headers: { "X-Service-Signature": "sha256=00" },
          body: "{}",
        })
      ).status;
    expect(await postWithWrongSignature()).toBe(404);
    await addKeyFor([SHOP]);
    expect(await postWithWrongSignature()).toBe(401);
  });

  test("the pay link of an unknown store shows that payment is closed for the moment", async () => {
    const { merchant, path } = await openHost();
    expect(await (await merchant.get(path)).text()).toContain("momentanément fermé");
  });
});

describe("the pay link of an order", () => {
  test("the pay link of an order never changes and leads to one session however often it is opened", async () => {
    const { merchant, addKeyFor, addShop, order, path } = await openHost();
    addShop();
    await addKeyFor([SHOP]);
    const first = (await merchant.get(path)).headers.get("location");
    await merchant.clock.advance(40 * 60_000);
    expect(merchant.checkout.payLink(order).slice(merchant.url.length)).toBe(path);
    expect((await merchant.get(path)).headers.get("location")).toBe(first);
    await merchant.clock.advance(90 * 24 * 3_600_000);
    expect((await merchant.get(path)).status).toBe(303);
  });

  test("the pay link of an order is invalid when it was changed or is used for another purpose", async () => {
    const { merchant, addKeyFor, addShop, path } = await openHost();
    addShop();
    await addKeyFor([SHOP]);
    const token = path.slice("/pay/".length);
    const changed = token.replace(/^./, (first) => (first === "W" ? "X" : "W"));
    expect((await merchant.get(`/pay/${changed}`)).status).toBe(404);
    for (const purpose of ["return", "cancel"]) expect((await merchant.get(`/${purpose}/${token}`)).status).toBe(404);
    expect(merchant.service.sessions.size).toBe(0);
  });

  test("the pay link of a paid order leads to the URL that the platform returned and never to a payment page", async () => {
    const { merchant, addKeyFor, addShop, order, path } = await openHost();
    const shop = addShop();
    await addKeyFor([SHOP]);
    await merchant.get(path);
    merchant.service.newest().status = "completed";
    const payment = await merchant.ledger.find({ attempt: order.attempt, storeId: SHOP });
    const next = "https://acme.example/thank-you/1";
    // Evidence `acknowledged`: the platform accepted the write, and offers no way to read the order afterwards.
    shop.adapter.markPaid = async () => ({ outcome: "recorded", evidence: "acknowledged" });
    shop.adapter.shopperUrl = async () => next;
    await merchant.get(new URL(String(merchant.service.newest().body.success_url)).pathname);
    expect((await merchant.ledger.find({ id: payment?.id ?? "" }))?.state).toBe("recorded");
    expect((await merchant.get(path)).headers.get("location")).toBe(next);
  });
});

test("stored credentials need a ledger that keeps secrets", () => {
  const { commit, claim } = createMemoryLedger();
  const options = {
    publicUrl: "https://pay.example.com",
    keys: ["x".repeat(32)],
    stores: { find: async () => null, list: async () => [] },
    credentials: "stored" as const,
  };
  expect(() => createCheckoutServer({ ...options, ledger: createMemoryLedger() })).not.toThrow();
  expect(() => createCheckoutServer({ ...options, ledger: { commit, claim } as never })).toThrow(
    /needs a ledger that keeps secrets/,
  );
});

test("a server with an adapter that lacks a method does not start, and its error names the method", async () => {
  const { adapter } = openSmallShop();
  const stores = { boutique: { ...adapter, markPaid: undefined as never } };
  await expect(openMerchant({ options: { stores } })).rejects.toMatchObject({
    code: "configuration_invalid",
    message: 'The adapter of the store "boutique" lacks markPaid().',
  });
});
