import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import type { Sandbox } from "@tillkit/sandbox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runPurchase } from "../src/auto-purchase.ts";
import { closeServer } from "../src/demo/ports.ts";
import { type Demo, openDemo } from "../src/demo.ts";
import { type SeenPage, textOf } from "../src/visitor/seen-page.ts";
import { createVisitor } from "../src/visitor/visitor.ts";

let folder: string;
const openDemos: Demo[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-demo-"));
});

afterEach(async () => {
  await Promise.all(openDemos.splice(0).map((demo) => demo.close()));
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<Demo> {
  const demo = await openDemo(folder);
  openDemos.push(demo);
  return demo;
}

async function stop(): Promise<void> {
  await openDemos.pop()?.close();
}

describe("the shop and the payment service, started together", () => {
  it("the automatic purchase buys one coffee and prints the payment's timeline", async () => {
    const { shopUrl, shop } = await start();
    const printed: string[] = [];
    await runPurchase(shopUrl, (line) => printed.push(line));
    expect(printed.join("\n")).toContain("The order page says: Order paid, thank you!");
    expect(printed.join("\n")).toContain("The order is marked paid.");
    expect(await shop.database.db.selectFrom("orders").select("state").execute()).toEqual([{ state: "paid" }]);
    const stock = await shop.database.db.selectFrom("stock").selectAll().where("product_id", "=", "cafe").execute();
    expect(stock).toEqual([{ product_id: "cafe", pieces: 29 }]);
  });

  it("the operators' pages show every payment and its timeline to holders of the printed token", async () => {
    const { shopUrl, operatorToken } = await start();
    await runPurchase(shopUrl, () => undefined);
    const owner = createVisitor("en");
    const login = await owner.open(`${shopUrl}/operators`);
    expect(textOf(login.html)).toContain("For operators");
    const overview = await owner.submit(login, { token: operatorToken });
    expect(textOf(overview.html)).toContain("Nothing needs your attention.");
    const payments = await owner.open(`${shopUrl}/operators/payments`);
    const [, path = ""] = /href="(\/operators\/test\/payments\/[^"?]+)"/.exec(payments.html) ?? [];
    expect(textOf((await owner.open(`${shopUrl}${path}`)).html)).toContain("The order is marked paid.");
  });

  it("the printed link logs in once, and looking at it does not use it up", async () => {
    const { operatorLink: link } = await start();
    await fetch(link, { method: "HEAD", redirect: "manual" });
    const owner = createVisitor("en");
    expect(textOf((await owner.open(link)).html)).toContain("Nothing needs your attention.");
    const other = createVisitor("en");
    expect(textOf((await other.open(link)).html)).toContain("For operators");
  });

  it("the owner refunds a part and then the rest, and one form that is sent twice makes one refund", async () => {
    const { shopUrl, sandbox } = await start();
    await runPurchase(shopUrl, () => undefined);
    const owner = createVisitor("en");
    const ownerPage = await owner.open(`${shopUrl}/owner`);
    await owner.submit(ownerPage, { amount: "1500" }, /refund$/);
    const again = await owner.submit(ownerPage, { amount: "1500" }, /refund$/);
    expect(again.url).not.toContain("problem");

    const partly = await untilShown(() => owner.open(`${shopUrl}/owner`), /Refunded: 1 500/);
    const orderPath = /href="(\/orders\/[\w-]{22})"/.exec(partly.html)?.[1] ?? "";
    const orderPage = textOf((await owner.open(`${shopUrl}${orderPath}`)).html);
    expect(orderPage).toContain("1\u202f500\u00a0F\u00a0CFA of it was refunded; 2\u202f500\u00a0F\u00a0CFA remains.");
    const tooMuch = await owner.submit(partly, { amount: "2501" }, /refund$/);
    expect(textOf(tooMuch.html)).toContain("Nothing was refunded: check the amount");
    await owner.submit(await owner.open(`${shopUrl}/owner`), { amount: "2500" }, /refund$/);
    const whole = await untilShown(() => owner.open(`${shopUrl}/owner`), /Refunded: 4 000/);
    expect(whole.html).not.toContain("/refund");
    const refunds = await refundsAt(sandbox);
    expect(refunds).toEqual([1_500, 2_500]);
  });

  it("the hosted page knows the shopper's name, what is bought and the language", async () => {
    const { shopUrl } = await start();
    const shopper = createVisitor("fr");
    await shopper.submit(await shopper.open(shopUrl), { product: "cafe" });
    const hosted = await shopper.submit(await shopper.open(`${shopUrl}/checkout/XOF`), { pickupName: "Awa Diop" });
    expect(hosted.html).toContain('value="Awa Diop"');
    expect(textOf(hosted.html)).toContain("1 × Café de Man");
  });

  it("the terminal shows no key, e-mail address or order address", async () => {
    const { shopUrl, sandbox } = await start();
    const printed: string[] = [];
    await runPurchase(shopUrl, (line) => printed.push(line));
    expect(printed.join("\n")).not.toMatch(/@|[\w-]{20,}/);
    expect(printed.join("\n")).not.toContain(sandbox.keys.test.secret);
  });

  it("the demo keeps its orders and addresses after a restart", async () => {
    const first = await start();
    await runPurchase(first.shopUrl, () => undefined);
    const { key } = await first.shop.database.db.selectFrom("orders").select("key").executeTakeFirstOrThrow();
    await stop();
    const second = await start();
    expect(second.shopUrl).toBe(first.shopUrl);
    expect(second.sandbox.baseUrl).toBe(first.sandbox.baseUrl);
    const page = await createVisitor("en").open(`${second.shopUrl}/orders/${key}`);
    expect(textOf(page.html)).toContain("Order paid, thank you!");
    await runPurchase(second.shopUrl, () => undefined);
  });

  it("the demo uses another port when the shop's port is taken, and shop and sandbox still reach each other", async () => {
    const { shopUrl } = await start();
    await stop();
    const otherServer = createServer();
    await new Promise<void>((resolve) => otherServer.listen(Number(new URL(shopUrl).port), "127.0.0.1", resolve));
    const moved = await start();
    expect(moved.shopUrl).not.toBe(shopUrl);
    await runPurchase(moved.shopUrl, () => undefined);
    await expect
      .poll(async () => (await moved.sandbox.control.listDeliveries()).map(({ url, state }) => ({ url, state })))
      .toContainEqual({ url: `${moved.shopUrl}/hooks/service/shop`, state: "delivered" });
    await closeServer(otherServer);
  });

  it("a second start says in one sentence that the demo already runs in this folder", async () => {
    const { shopUrl } = await start();
    // The process that started this test stands for the first demo: all that matters is that it runs and is another process.
    const otherRunningProcess = process.ppid;
    await writeFile(join(folder, "running.pid"), String(otherRunningProcess));
    await expect(openDemo(folder)).rejects.toThrow(`already running in this folder at ${shopUrl}`);
  });

  it("the demo starts in a folder that a killed process had locked", async () => {
    await writeFile(join(folder, "running.pid"), "999999999");
    await start();
  });

  it("the demo stores its keys in files that only their owner can read", async () => {
    await start();
    expect((await stat(join(folder, "shop.json"))).mode & 0o077).toBe(0);
    expect(JSON.parse(await readFile(join(folder, "shop.json"), "utf8"))).toMatchObject({
      webhook: { id: expect.stringMatching(/^wh_/) },
    });
  });
});

async function untilShown(open: () => Promise<SeenPage>, text: RegExp): Promise<SeenPage> {
  let page = await open();
  await expect
    .poll(async () => {
      page = await open();
      return textOf(page.html).replace(/\s/g, " ");
    })
    .toMatch(text);
  return page;
}

async function refundsAt({ baseUrl, keys }: Sandbox): Promise<unknown[]> {
  const client = createServiceClient({ apiKey: keys.test.secret, baseUrl });
  const refunds = await client.refunds.list().toArray({ limit: 10 });
  return refunds.map(({ amount }) => amount).sort();
}
