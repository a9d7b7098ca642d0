import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@tillkit/core";
import { createPluginRoutes, type PluginRoutes } from "@tillkit/php-bridge";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../test/programs/free-port.ts";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { PLUGIN_PLACE } from "../src/protocol/names.ts";
import { php, phpSkipReason, pluginTests } from "./php.ts";
import { LINK_SECRET, openServerFixture, STORE_ID } from "./server-fixture.ts";

const skipReason = phpSkipReason();
const title = `plugin and checkout server over HTTP${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;

describe.skipIf(skipReason !== null)(title, () => {
  it("twenty concurrent mark-paid calls mark the order paid once", async () => {
    const { routes, step } = await openServedShop();
    const replies = await Promise.all(Array.from({ length: 20 }, () => routes.call("mark-paid", MARK_PAID_REQUEST)));
    const outcomes = replies.map((reply) => ("body" in reply ? outcomeOf(reply.body) : reply.kind)).sort();
    expect(outcomes).toEqual([...Array.from({ length: 19 }, () => "already"), "recorded"]);
    expect(await step("order")).toMatchObject({
      completed: 1,
      status: "processing",
      meta: { _tillkit_payment_id: "payment-a" },
    });
  });

  it("the checkout server understands the plugin, and the plugin rejects calls signed with another secret", async () => {
    const { routes, routesOfOtherShop } = await openServedShop();
    expect(await routes.call("ping", {})).toMatchObject({
      kind: "answered",
      body: { protocol: 1, plugin: "0.1.0", currency: "XOF", enabled: true },
    });
    expect(await routesOfOtherShop.call("mark-paid", MARK_PAID_REQUEST)).toEqual({
      kind: "unreachable",
      status: 401,
      code: "tillkit_signature_invalid",
      message: expect.stringContaining("rejects our signature"),
    });
  });

  it("a checkout server with a clock 16 minutes off signs its calls with the shop's time", async () => {
    const now = () => Date.now() + 960_000;
    const { routes } = await openServedShop({ ...systemClock, now });
    expect(await routes.call("mark-paid", MARK_PAID_REQUEST)).toMatchObject({
      kind: "answered",
      body: { outcome: "recorded" },
    });
  });

  it("an order is paid over the plugin's pay link, then checked and refunded on the order screen", async () => {
    const fixture = await openServerFixture({ fake: { decimals: 2 } });
    const { id, key } = fixture.fake.shop.placeOrder({ total: "5000.00" });
    const step = await openShop({
      checkoutServer: fixture.url,
      home: fixture.fake.url,
      order: { id, key, total: "5000.00" },
    });
    const answer = await fixture.follow(String(await step("pay")));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toContain(fixture.sandbox.checkoutBaseUrl);
    await fixture.pay(await fixture.payment(id));
    await waitFor(async () => expect((await fixture.payment(id)).state).toBe("recorded"));
    expect(plain(await step("check"))).toContain("5 000 F CFA · paid · test");
    expect(await step("refund", { amount: "1500" })).toBe(true);
    expect(await step("refund", { amount: "9000" })).toEqual({
      error: expect.stringMatching(/at most 3.500.F.CFA can be refunded/),
    });
    expect(await step("order")).toMatchObject({ notes: [expect.stringContaining("Tillkit")] });
    expect(plain(await step("check"))).toContain("1 500 F CFA · ");
  });

  it("the health panel shows the amount that is sent and the amount that the hosted page must show", async () => {
    const fixture = await openServerFixture({ fake: { decimals: 2 } });
    const { id, key } = fixture.fake.shop.placeOrder({ total: "5000.00" });
    const step = await openShop({
      checkoutServer: fixture.url,
      home: fixture.fake.url,
      order: { id, key, total: "5000.00" },
    });
    const results = (await step("health")) as readonly HealthResult[];
    const failed = results.filter(({ ok }) => !ok).map(({ about }) => about);
    // The test badge is off although the key is a test key, and the shop has two decimals for XOF.
    expect(failed).toEqual(["Environment", "Decimals"]);
    expect(plain(results.at(-1)?.text)).toContain(
      "5 000,00 XOF, and the payment service receives the number 5000. Open a hosted page below: it must ask for 5 000 F CFA.",
    );
  });
});

type HealthResult = { readonly ok: boolean; readonly about: string; readonly text: string };

const MARK_PAID_REQUEST = {
  order: "1042",
  key: "wc_order_AbC123xyZ",
  amount: "5000.00",
  currency: "XOF",
  payment: "payment-a",
  transaction: "tx_01",
  fence: 1,
};

type Step = (name: string, input?: object) => Promise<unknown>;

type ShopInput = {
  readonly checkoutServer?: string;
  /** The address at which WordPress knows itself. */
  readonly home?: string;
  readonly order?: Readonly<Record<string, string | number>>;
};

/** A shop of the PHP tests. Each step is one request to the shop. `folder` contains the database of the shop. */
async function openShop({
  checkoutServer = "https://pay.example",
  home = "https://shop.example",
  order = {},
}: ShopInput): Promise<Step & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-wordpress-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const step = async (name: string, input: object = {}) =>
    JSON.parse(await php(join(pluginTests, "shop-step.php"), folder, name, JSON.stringify(input)));
  const options = {
    home,
    permalink_structure: "/%postname%/",
    woocommerce_tillkit_settings: {
      enabled: "yes",
      title: "Mobile money",
      checkout_server: checkoutServer,
      store: STORE_ID,
    },
    tillkit_link_secrets: { current: LINK_SECRET, previous: "" },
  };
  await step("open", { options, order });
  return Object.assign(step, { folder });
}

type ServedShop = { readonly routes: PluginRoutes; readonly routesOfOtherShop: PluginRoutes; readonly step: Step };

/** A shop of the PHP tests behind PHP's web server, with several worker processes. */
async function openServedShop(clock = systemClock): Promise<ServedShop> {
  const step = await openShop({});
  const port = await freePort();
  const server = spawn("php", ["-S", `127.0.0.1:${port}`, join(pluginTests, "serve.php")], {
    env: { ...process.env, TILLKIT_SHOP: step.folder, PHP_CLI_SERVER_WORKERS: "4" },
    stdio: "ignore",
    detached: true,
  });
  onTestFinished(() => stop(server));
  const url = `http://127.0.0.1:${port}`;
  await waitFor(async () => expect((await fetch(url)).status).toBe(404));
  const options = { url, place: PLUGIN_PLACE, storeId: STORE_ID, clock };
  return {
    routes: createPluginRoutes({ ...options, linkSecret: LINK_SECRET }),
    routesOfOtherShop: createPluginRoutes({ ...options, linkSecret: "the secret of another shop, not of this one" }),
    step,
  };
}

/** Stops the whole process group, because the workers are separate processes. */
async function stop(server: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => server.once("exit", resolve));
  if (server.pid !== undefined) process.kill(-server.pid);
  await exited;
}

function outcomeOf(body: object): unknown {
  return "outcome" in body ? body.outcome : body;
}

/** Replaces the non-breaking spaces of amounts. */
function plain(text: unknown): string {
  return String(text).replace(/[\u00a0\u202f]/g, " ");
}
