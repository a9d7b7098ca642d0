import { inspect } from "node:util";
import { systemClock } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { createFakeWooCommerce, type Disturbance } from "@tillkit/testkit/woocommerce";
import nock from "nock";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { createPluginRoutes } from "../src/transport/plugin-routes.ts";
import { createWooRest } from "../src/transport/woo-rest.ts";

const SECRET = "cs_a_consumer_secret_that_nobody_may_ever_see";
const KEY = "ck_a_consumer_key_that_nobody_may_ever_see";
const LINK_SECRET = "a link secret of the tests, never in any error";

afterEach(() => nock.cleanAll());

/** Disturbances between the checkout server and the shop, with the error codes of a read and of a write. */
const FAILURES: readonly [Disturbance, read: string, write: string][] = [
  ["maintenance", "unavailable", "unknown"],
  ["html", "unavailable", "unknown"],
  ["notice", "unavailable", "unknown"],
  ["redirect", "unavailable", "unavailable"],
  ["forbidden", "unavailable", "unavailable"],
  ["error", "unavailable", "unknown"],
  ["hang-up", "unavailable", "unknown"],
];

describe("disturbed REST API", () => {
  it.each(FAILURES)(
    "during the disturbance %s a read fails as %s and a write as %s, and the error contains nothing of the request",
    async (disturbance, read, write) => {
      const { fake, rest } = await openFake();
      const { id } = fake.shop.placeOrder({ total: "5000" });
      fake.faults.disturb(disturbance);
      await expectStoreError(rest.get(`orders/${id}`), read);
      await expectStoreError(rest.put(`orders/${id}`, { set_paid: true }), write);
    },
  );

  it.each(["silence", "drip"] as const)(
    "a request to a shop with the disturbance %s ends at its deadline",
    async (disturbance) => {
      const clock = createManualClock();
      const { fake } = await openFake();
      const rest = createWooRest({ ...fake, clock });
      fake.faults.disturb(disturbance);
      const read = rest.get("orders/1").catch((error) => error);
      const write = rest.put("orders/1", {}).catch((error) => error);
      await waitFor(() => expect(fake.faults.requestsInFlight).toBe(2));
      await clock.advance(14_000);
      expect([await read, await write]).toMatchObject([{ code: "unavailable" }, { code: "unknown" }]);
    },
  );

  it("a write to a closed port fails as unavailable because nothing was sent", async () => {
    const rest = createWooRest({
      url: "http://127.0.0.1:9",
      consumerKey: KEY,
      consumerSecret: SECRET,
      clock: systemClock,
    });
    await expectStoreError(rest.put("orders/1", {}), "unavailable");
  });

  it("a response that is too large is rejected", async () => {
    nock("https://shop.example")
      .get("/wp-json/wc/v3/orders/1")
      .reply(200, `[${'"x",'.repeat(2_000_000)}"x"]`);
    await expectStoreError(httpsShop().get("orders/1"), "unavailable");
  });
});

describe("REST API over https", () => {
  it("requests over https use Basic authentication and have no key in the address", async () => {
    const received: { path: string; headers: Record<string, unknown> }[] = [];
    nock("https://shop.example")
      .put("/wp-json/wc/v3/orders/7")
      .reply(200, function reply(path) {
        received.push({ path, headers: this.req.headers });
        return { id: 7 };
      });
    await httpsShop().put("orders/7", { set_paid: true });
    const [request] = received;
    expect(request?.path).toBe("/wp-json/wc/v3/orders/7");
    expect(String(request?.headers["content-type"])).toContain("application/json");
    expect(String(request?.headers.authorization)).toBe(`Basic ${Buffer.from(`${KEY}:${SECRET}`).toString("base64")}`);
  });

  it.each([301, 302, 307, 308])(
    "a redirect with %i is not followed, because a PUT would become a GET and succeed",
    async (status) => {
      nock("https://shop.example")
        .put("/wp-json/wc/v3/orders/7")
        .reply(status, "", { Location: "https://www.shop.example/wp-json/wc/v3/orders/7" });
      const redirectTarget = nock("https://www.shop.example")
        .get(/.*/)
        .reply(200, { id: 7 })
        .put(/.*/)
        .reply(200, { id: 7 });
      await expectStoreError(httpsShop().put("orders/7", {}), "unavailable");
      expect(redirectTarget.isDone()).toBe(false);
    },
  );

  it.each([
    [401, { code: "woocommerce_rest_cannot_view" }, "reconnect"],
    [403, { code: "rest_forbidden" }, "reconnect"],
    [429, { code: "too_many" }, "unavailable"],
    [400, { nothing: true }, "unknown"],
  ])("a response of %i with %j fails as %s", async (status, body, code) => {
    nock("https://shop.example").put("/wp-json/wc/v3/orders/7").reply(status, body);
    await expectStoreError(httpsShop().put("orders/7", {}), code);
  });

  it("a list of statuses is sent in PHP's list notation", async () => {
    const scope = nock("https://shop.example")
      .get("/wp-json/wc/v3/orders")
      .query((query) => JSON.stringify(query).includes('["pending","failed"]'))
      .reply(200, [], { "X-WP-TotalPages": "3" });
    const { pages } = await httpsShop().get("orders", { status: ["pending", "failed"], page: 1 });
    expect(scope.isDone()).toBe(true);
    expect(pages).toBe(3);
  });
});

describe("plugin routes", () => {
  it("a plugin that is inactive or has another secret is reported as unreachable", async () => {
    const { fake, plugin } = await openFake();
    expect(await plugin.call("ping", {})).toMatchObject({ kind: "unreachable", code: "rest_no_route" });
    fake.setPlugin({ checkoutServerUrl: "https://pay.example", storeId: "boutique", linkSecret: "another one" });
    expect(await plugin.call("ping", {})).toMatchObject({ kind: "unreachable", code: "tillkit_signature_invalid" });
  });

  it("calls to a plugin with a clock 16 minutes off are signed with the shop's time", async () => {
    const { fake, plugin } = await openFake();
    fake.setPlugin({ checkoutServerUrl: "https://pay.example", storeId: "boutique", linkSecret: LINK_SECRET });
    fake.setClockOffset(-960_000);
    expect(await plugin.call("ping", {})).toMatchObject({ kind: "answered", status: 200 });
    const before = fake.requests.length;
    await plugin.call("ping", {});
    expect(fake.requests.length - before).toBe(1);
  });

  it.each(FAILURES)(
    "the error of a plugin call during the disturbance %s contains nothing of the request",
    async (disturbance) => {
      const { fake, plugin } = await openFake();
      fake.setPlugin({ checkoutServerUrl: "https://pay.example", storeId: "boutique", linkSecret: LINK_SECRET });
      fake.faults.disturb(disturbance);
      if (disturbance === "forbidden")
        expect(await plugin.call("mark-paid", {})).toMatchObject({ kind: "unreachable", status: 403 });
      else await expectStoreError(plugin.call("mark-paid", {}), disturbance === "redirect" ? "unavailable" : "unknown");
    },
  );
});

async function openFake() {
  const fake = await createFakeWooCommerce();
  onTestFinished(fake.close);
  const plugin = createPluginRoutes({
    url: fake.url,
    storeId: "boutique",
    linkSecret: LINK_SECRET,
    clock: systemClock,
  });
  return { fake, plugin, rest: createWooRest({ ...fake, clock: systemClock }) };
}

function httpsShop() {
  return createWooRest({
    url: "https://shop.example",
    consumerKey: KEY,
    consumerSecret: SECRET,
    clock: systemClock,
  });
}

/** Expects a StoreError with this code and without a secret at any depth. */
async function expectStoreError(work: Promise<unknown>, code: string): Promise<void> {
  const error = await work.then(
    () => {
      throw new Error("Expected an error, and there was none.");
    },
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "StoreError", code });
  const everything = [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), String(error)].join();
  for (const secret of [SECRET, KEY, LINK_SECRET, "cs_fake", "ck_fake", "Basic ", "oauth_"]) {
    expect(everything).not.toContain(secret);
  }
}
