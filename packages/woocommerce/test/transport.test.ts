import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import type { Transport, TransportRequest } from "@tillkit/client";
import { systemClock } from "@tillkit/core";
import { createFakeWooCommerce, type Disturbance } from "@tillkit/fake-woocommerce";
import { createPluginRoutes } from "@tillkit/php-bridge";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { PLUGIN_PLACE } from "../src/protocol/names.ts";
import { createWooRest } from "../src/transport/woo-rest.ts";

const SECRET = "cs_a_consumer_secret_that_nobody_may_ever_see";
const KEY = "ck_a_consumer_key_that_nobody_may_ever_see";
const LINK_SECRET = "a link secret of the tests, never in any error";

/** Disturbances between the checkout server and the shop, with the error codes of a read and of a write. */
const FAILURES: readonly [Disturbance, read: string, write: string][] = [
  ["maintenance", "unavailable", "unknown"],
  ["html", "unavailable", "unknown"],
  ["notice", "unavailable", "unknown"],
  ["redirect", "unavailable", "unavailable"],
  ["forbidden", "reconnect", "reconnect"],
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
    const url = await startShop((_request, response) => response.end(`[${'"x",'.repeat(2_000_000)}"x"]`));
    await expectStoreError(shopAt(url).get("orders/1"), "unavailable");
  });

  it.each([
    [1_000, "read"],
    [5_000_000, "refused"],
  ])("a compressed response is unpacked up to the size limit: %i bytes are %s", async (bytes, outcome) => {
    const url = await startShop((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("gzip");
      response.setHeader("Content-Encoding", "gzip");
      response.end(gzipSync(JSON.stringify({ id: 1, text: "x".repeat(bytes) })));
    });
    const reading = shopAt(url).get("orders/1");
    if (outcome === "refused") await expectStoreError(reading, "unavailable");
    else expect((await reading).body).toMatchObject({ id: 1 });
  });
});

describe("REST API over https", () => {
  it("requests over https use Basic authentication and have no key in the address", async () => {
    const { rest, requests } = httpsShop({ status: 200, body: { id: 7 } });
    await rest.put("orders/7", { set_paid: true });
    const [request] = requests;
    expect(request).toMatchObject({ method: "PUT", url: "https://shop.example/wp-json/wc/v3/orders/7" });
    expect(request?.headers["content-type"]).toContain("application/json");
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(`${KEY}:${SECRET}`).toString("base64")}`);
    expect(request?.headers["user-agent"]).toContain("WooCommerce REST API");
    expect(Buffer.from(request?.body ?? []).toString()).toBe('{"set_paid":true}');
  });

  it.each([301, 302, 307, 308])(
    "a redirect with %i is not followed, because a PUT would become a GET and succeed",
    async (status) => {
      const paths: (string | undefined)[] = [];
      const url = await startShop((request, response) => {
        paths.push(request.url?.split("?")[0]);
        if (request.url?.startsWith("/target")) return response.end('{"id":7}');
        response.writeHead(status, { Location: "/target" }).end();
      });
      await expectStoreError(shopAt(url).put("orders/7", {}), "unavailable");
      expect(paths).toEqual(["/wp-json/wc/v3/orders/7"]);
    },
  );

  it.each([
    [401, { code: "woocommerce_rest_cannot_view" }, "reconnect"],
    [403, { code: "rest_forbidden" }, "reconnect"],
    [429, { code: "too_many" }, "unavailable"],
    [400, { nothing: true }, "unknown"],
  ])("a response of %i with %j fails as %s", async (status, body, code) => {
    await expectStoreError(httpsShop({ status, body }).rest.put("orders/7", {}), code);
  });

  it("a list of statuses is sent in PHP's list notation", async () => {
    const { rest, requests } = httpsShop({ status: 200, body: [], headers: { "x-wp-totalpages": "3" } });
    const { pages } = await rest.get("orders", { status: ["pending", "failed"], page: 1, _fields: "id,status" });
    expect(decodeURIComponent(new URL(requests[0]?.url ?? "").search)).toBe(
      "?status[]=pending&status[]=failed&page=1&_fields=id,status",
    );
    expect(pages).toBe(3);
  });
});

describe("plugin routes", () => {
  it("a plugin that is inactive or has another secret is reported as unreachable", async () => {
    const { fake, plugin } = await openFake();
    const inactive = { code: "rest_no_route", message: expect.stringContaining("activate the plugin") };
    expect(await plugin.call("ping", {})).toMatchObject({ kind: "unreachable", ...inactive });
    fake.setPlugin({ checkoutServerUrl: "https://pay.example", storeId: "boutique", linkSecret: "another one" });
    const other = { code: "tillkit_signature_invalid", message: expect.stringContaining("rejects our signature") };
    expect(await plugin.call("ping", {})).toMatchObject({ kind: "unreachable", ...other });
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
      const blocked = { status: 403, message: expect.stringContaining("let /wp-json/tillkit/ through") };
      if (disturbance === "forbidden")
        expect(await plugin.call("mark-paid", {})).toMatchObject({ kind: "unreachable", ...blocked });
      else await expectStoreError(plugin.call("mark-paid", {}), disturbance === "redirect" ? "unavailable" : "unknown");
    },
  );
});

async function openFake() {
  const fake = await createFakeWooCommerce();
  onTestFinished(fake.close);
  const plugin = createPluginRoutes({
    url: fake.url,
    place: PLUGIN_PLACE,
    storeId: "boutique",
    linkSecret: LINK_SECRET,
    clock: systemClock,
  });
  return { fake, plugin, rest: createWooRest({ ...fake, clock: systemClock }) };
}

type StubAnswer = { readonly status: number; readonly body: object; readonly headers?: Record<string, string> };

/** A shop over https whose requests are recorded and not sent. */
function httpsShop({ status, body, headers = {} }: StubAnswer) {
  const requests: TransportRequest[] = [];
  const transport: Transport = async (request) => {
    requests.push(request);
    return { status, headers, body: Buffer.from(JSON.stringify(body)) };
  };
  return { rest: shopAt("https://shop.example", transport), requests };
}

function shopAt(url: string, transport?: Transport) {
  return createWooRest({ url, consumerKey: KEY, consumerSecret: SECRET, clock: systemClock, transport });
}

async function startShop(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
