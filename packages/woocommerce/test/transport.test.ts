import { inspect } from "node:util";
import { systemClock } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { createFakeWooCommerce, type Disturbance } from "@tillkit/woocommerce/fake";
import nock from "nock";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createPluginRoutes } from "../src/transport/plugin-routes.ts";
import { createWooRest } from "../src/transport/woo-rest.ts";

const SECRET = "cs_a_consumer_secret_that_nobody_may_ever_see";
const KEY = "ck_a_consumer_key_that_nobody_may_ever_see";
const LINK_SECRET = "a link secret that nobody may ever see in any error";

afterEach(() => nock.cleanAll());

/** Everything that can stand between us and a shop, and what it means for a read and for a write. */
const TROUBLES: readonly [Disturbance, read: string, write: string][] = [
  ["maintenance", "unavailable", "unknown"],
  ["html", "unavailable", "unknown"],
  ["notice", "unavailable", "unknown"],
  ["redirect", "unavailable", "unavailable"],
  ["forbidden", "unavailable", "unavailable"],
  ["error", "unavailable", "unknown"],
  ["hang-up", "unavailable", "unknown"],
];

describe("a shop that does not answer as its API", () => {
  it.each(TROUBLES)("%s: a read is %s, a write is %s, and nothing of the request is told", async (how, read, write) => {
    const { fake, rest } = await openFake();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    fake.faults.disturb(how);
    await expectTrouble(rest.get(`orders/${id}`), read);
    await expectTrouble(rest.put(`orders/${id}`, { set_paid: true }), write);
  });

  it.each(["silence", "drip"] as const)("%s: is given up in time", async (how) => {
    const clock = createManualClock();
    const { fake } = await openFake();
    const rest = createWooRest({ ...fake, clock });
    fake.faults.disturb(how);
    const [read, write] = [rest.get("orders/1"), rest.put("orders/1", {})].map((call) => call.catch((error) => error));
    await new Promise((resolve) => setTimeout(resolve, 150));
    await clock.advance(14_000);
    expect([await read, await write]).toMatchObject([{ code: "unavailable" }, { code: "unknown" }]);
  });

  it("nobody listens: nothing was sent, so nothing happened", async () => {
    const rest = createWooRest({
      url: "http://127.0.0.1:9",
      consumerKey: KEY,
      consumerSecret: SECRET,
      clock: systemClock,
    });
    await expectTrouble(rest.put("orders/1", {}), "unavailable");
  });

  it("an answer that never ends is cut off", async () => {
    nock("https://shop.example")
      .get("/wp-json/wc/v3/orders/1")
      .reply(200, `[${'"x",'.repeat(2_000_000)}"x"]`);
    await expectTrouble(https().get("orders/1"), "unavailable");
  });
});

describe("the way to a shop over https", () => {
  it("is Basic authentication with the API's own headers, and no key in the address", async () => {
    const seen: { path: string; headers: Record<string, unknown> }[] = [];
    nock("https://shop.example")
      .put("/wp-json/wc/v3/orders/7")
      .reply(200, function reply(path) {
        seen.push({ path, headers: this.req.headers });
        return { id: 7 };
      });
    await https().put("orders/7", { set_paid: true });
    const [request] = seen;
    expect(request?.path).toBe("/wp-json/wc/v3/orders/7");
    expect(String(request?.headers["content-type"])).toContain("application/json");
    expect(String(request?.headers.authorization)).toBe(`Basic ${Buffer.from(`${KEY}:${SECRET}`).toString("base64")}`);
  });

  it.each([301, 302, 307, 308])("a %i is not followed: a POST would become a GET and succeed", async (status) => {
    nock("https://shop.example")
      .put("/wp-json/wc/v3/orders/7")
      .reply(status, "", { Location: "https://www.shop.example/wp-json/wc/v3/orders/7" });
    const elsewhere = nock("https://www.shop.example").get(/.*/).reply(200, { id: 7 }).put(/.*/).reply(200, { id: 7 });
    await expectTrouble(https().put("orders/7", {}), "unavailable");
    expect(elsewhere.isDone()).toBe(false);
  });

  it.each([
    [401, { code: "woocommerce_rest_cannot_view" }, "reconnect"],
    [403, { code: "rest_forbidden" }, "reconnect"],
    [429, { code: "too_many" }, "unavailable"],
    [400, { nothing: true }, "unknown"],
  ])("%i with %j is %s", async (status, body, code) => {
    nock("https://shop.example").put("/wp-json/wc/v3/orders/7").reply(status, body);
    await expectTrouble(https().put("orders/7", {}), code);
  });

  it("a list of statuses is sent so that PHP reads a list", async () => {
    const scope = nock("https://shop.example")
      .get("/wp-json/wc/v3/orders")
      .query((query) => JSON.stringify(query).includes('["pending","failed"]'))
      .reply(200, [], { "X-WP-TotalPages": "3" });
    const { pages } = await https().get("orders", { status: ["pending", "failed"], page: 1 });
    expect(scope.isDone()).toBe(true);
    expect(pages).toBe(3);
  });
});

describe("the plugin's routes", () => {
  it("are closed where the plugin is not active, or knows another secret", async () => {
    const { fake, plugin } = await openFake();
    expect(await plugin.call("ping", {})).toMatchObject({ say: "closed", code: "rest_no_route" });
    fake.setPlugin({ companionUrl: "https://pay.example", storeId: "boutique", linkSecret: "another one" });
    expect(await plugin.call("ping", {})).toMatchObject({ say: "closed", code: "tillkit_signature_invalid" });
  });

  it("are talked to in the shop's own time when its clock is 16 minutes off", async () => {
    const { fake, plugin } = await openFake();
    fake.setPlugin({ companionUrl: "https://pay.example", storeId: "boutique", linkSecret: LINK_SECRET });
    fake.setClockOffset(-960_000);
    expect(await plugin.call("ping", {})).toMatchObject({ say: "answered", status: 200 });
    const before = fake.requests.length;
    await plugin.call("ping", {});
    expect(fake.requests.length - before).toBe(1);
  });

  it.each(TROUBLES)("%s: nothing of the request is told", async (how) => {
    const { fake, plugin } = await openFake();
    fake.setPlugin({ companionUrl: "https://pay.example", storeId: "boutique", linkSecret: LINK_SECRET });
    fake.faults.disturb(how);
    if (how === "forbidden") expect(await plugin.call("settle", {})).toMatchObject({ say: "closed", status: 403 });
    else await expectTrouble(plugin.call("settle", {}), how === "redirect" ? "unavailable" : "unknown");
  });
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

function https() {
  return createWooRest({
    url: "https://shop.example",
    consumerKey: KEY,
    consumerSecret: SECRET,
    clock: systemClock,
  });
}

/** The code, one sentence, and no secret however deep one looks. */
async function expectTrouble(work: Promise<unknown>, code: string): Promise<void> {
  const error = await work.then(
    () => {
      throw new Error("Expected trouble, and there was none.");
    },
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "StoreError", code });
  const everything = [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), String(error)].join();
  for (const secret of [SECRET, KEY, LINK_SECRET, "cs_fake", "ck_fake", "Basic ", "oauth_"]) {
    expect(everything).not.toContain(secret);
  }
}
