import { createMemoryLedger, type Order, type StoreAdapter } from "@tillkit/core";
import { afterEach, describe, expect, test } from "vitest";
import { createCheckoutServer } from "../src/index.ts";
import { type MerchantWorld, openMerchantWorld } from "./world/merchant-world.ts";
import { openSmallShop, shopOrder } from "./world/small-shop.ts";

const SHOP = "acme.example";
const WHSEC = "whsec_of_acme_0123456789";

const worlds: MerchantWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

/** A host whose shops and keys come and go. */
async function open() {
  const shops = new Map<string, StoreAdapter>();
  const stores = { find: async (id: string) => shops.get(id) ?? null, list: async () => [...shops.keys()] };
  const world = await openMerchantWorld({ options: { stores, credentials: "stored" } });
  worlds.push(world);
  const { storedCredentials } = world.checkout;
  if (!storedCredentials) throw new Error("Nobody keeps the keys.");
  const order: Order = { ...shopOrder, ref: { storeId: SHOP, orderId: "group/+=1" }, attempt: "gid://shop/Session/1" };
  const give = (storeIds: readonly string[]) =>
    storedCredentials.put({
      id: "acme-test",
      storeIds,
      apiKey: "svc_sk_test_0123456789abcdefghijklmnopqrstuv",
      baseUrl: world.service.baseUrl,
      endpointId: "acme_test",
      webhookSecrets: [WHSEC],
    });
  const install = () => {
    const small = openSmallShop();
    small.order = order;
    shops.set(SHOP, small.adapter);
    return small;
  };
  const path = world.checkout.payLink(order).slice(world.url.length);
  return { world, shops, give, install, order, path };
}

describe("a store that came while the program ran", () => {
  test("a store that is added at run time is paid with its own key through a link from before", async () => {
    const { world, give, install, path } = await open();
    expect((await world.get(path)).status).toBe(500);
    install();
    await give([SHOP]);
    const answer = await world.get(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toContain(world.service.newest().id.slice(0, 8));
    expect(world.service.newest().body).toMatchObject({ metadata: { tillkit_store: SHOP } });
  });

  test("a store that is added at run time receives webhooks once it has a key", async () => {
    const { world, give, install } = await open();
    install();
    const post = async () =>
      (
        await fetch(`${world.url}/hooks/service/acme_test`, {
          method: "POST",
          headers: { "X-Service-Signature": "sha256=00" },
          body: "{}",
        })
      ).status;
    expect(await post()).toBe(404);
    await give([SHOP]);
    expect(await post()).toBe(401);
  });

  test("an unknown store has no page", async () => {
    const { world, path } = await open();
    expect(await (await world.get(path)).text()).toContain("momentanément fermé");
  });
});

describe("the pay link of an order", () => {
  test("the pay link of an order never changes and leads to one session however often it is opened", async () => {
    const { world, give, install, order, path } = await open();
    install();
    await give([SHOP]);
    const first = (await world.get(path)).headers.get("location");
    await world.clock.advance(40 * 60_000);
    expect(world.checkout.payLink(order).slice(world.url.length)).toBe(path);
    expect((await world.get(path)).headers.get("location")).toBe(first);
    await world.clock.advance(90 * 24 * 3_600_000);
    expect((await world.get(path)).status).toBe(303);
  });

  test("the pay link of an order is invalid when it was changed or is used for another purpose", async () => {
    const { world, give, install, path } = await open();
    install();
    await give([SHOP]);
    const token = path.slice("/pay/".length);
    const changed = token.replace(/^./, (sign) => (sign === "W" ? "X" : "W"));
    expect((await world.get(`/pay/${changed}`)).status).toBe(404);
    for (const purpose of ["return", "cancel"]) expect((await world.get(`/${purpose}/${token}`)).status).toBe(404);
    expect(world.service.sessions.size).toBe(0);
  });

  test("the pay link of a paid order leads to the platform's address and never to a payment page", async () => {
    const { world, give, install, order, path } = await open();
    const small = install();
    await give([SHOP]);
    await world.get(path);
    world.service.newest().status = "completed";
    const payment = await world.ledger.find({ attempt: order.attempt, storeId: SHOP });
    const next = "https://acme.example/thank-you/1";
    const adapter = {
      ...small.adapter,
      markPaid: async () => ({ outcome: "recorded", evidence: "acknowledged", continueUrl: next }) as const,
    };
    Object.assign(small.adapter, adapter);
    await world.get(new URL(String(world.service.newest().body.success_url)).pathname);
    expect((await world.ledger.find({ id: payment?.id ?? "" }))?.state).toBe("recorded");
    expect((await world.get(path)).headers.get("location")).toBe(next);
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
