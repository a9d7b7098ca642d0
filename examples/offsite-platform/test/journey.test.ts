import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { money, systemClock } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createSandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOffsitePlatform } from "../src/offsite-platform.ts";
import { signPost } from "../src/platform-wire.ts";
import { openPlatform } from "./platform.ts";

const SHOP = { handle: "chez-adjoua", secret: "the secret of the shop and the platform" };

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

async function openFixture() {
  const sandbox = await createSandbox();
  const platform = await openPlatform(systemClock);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { baseUrl, keys } = sandbox;
  const { data } = await createServiceClient({ apiKey: keys.test.secret, baseUrl }).webhooks.create({
    url: `${url}/hooks/service/platform`,
    authorized_events: ["PAYMENT_SUCCEEDED"],
  });
  const ledger = createMemoryLedger();
  const { listener, checkout } = createOffsitePlatform({
    publicUrl: url,
    keys: ["a key of the tests, long enough to sign links with"],
    ledger,
    credential: { apiKey: keys.test.secret, baseUrl, endpointId: "platform", webhookSecrets: [data.secret ?? ""] },
    shop: { ...SHOP, notifyUrl: platform.notifyUrl, token: "a token of the platform" },
  });
  server.on("request", listener);
  checkout.startTimer();
  return {
    url,
    sandbox,
    ledger,
    platform,
    close: async () => {
      await checkout.close();
      platform.close();
      server.closeAllConnections();
      server.close();
      await sandbox.close();
    },
  };
}

async function post(path: string, body: object, secret = SHOP.secret) {
  const bytes = Buffer.from(JSON.stringify(body));
  const timestamp = String(Date.now());
  return await fetch(`${fixture.url}${path}`, {
    method: "POST",
    body: bytes,
    headers: {
      "pay-api-timestamp": timestamp,
      "pay-api-store-handle": SHOP.handle,
      "pay-api-signature": signPost(bytes, timestamp, { ...SHOP, secret }),
    },
  });
}

test("an order that the platform posted is paid on the hosted page, and the platform is notified once", async () => {
  const { platform, sandbox, ledger } = fixture;
  const orderId = platform.place(money(5_000, "XOF"));
  const posted = platform.post(orderId, "fr");
  const answers = await Promise.all(Array.from({ length: 10 }, () => post("/platform/payments", posted)));
  const urls = await Promise.all(
    answers.map(async (answer) => ((await answer.json()) as { redirectUrl: string }).redirectUrl),
  );
  expect(new Set(urls).size).toBe(1);

  const { headers } = await fetch(urls[0] ?? "", { redirect: "manual" });
  const payment = await ledger.find({ attempt: posted.orderTransactionId, storeId: SHOP.handle });
  expect(headers.get("location")).toBe(payment?.session?.url);
  const sessionId = payment?.session?.id ?? "";
  await sandbox.control.paySession(sessionId, { method: "card", outcome: "completed" });
  await expect.poll(() => platform.order(orderId)?.timesPaid).toBe(1);
  await expect.poll(async () => await (await post("/platform/query", posted)).json()).toEqual({ status: "SUCCEEDED" });

  const again = await fetch(urls[0] ?? "", { redirect: "manual" });
  expect(again.headers.get("location")).toBe(posted.redirectUrl);
});

test("a post signed with another secret and a post with other values under the same id are refused", async () => {
  const { platform } = fixture;
  const posted = platform.post(platform.place(money(5_000, "XOF")));
  expect((await post("/platform/payments", posted, "another secret")).status).toBe(401);
  expect((await post("/platform/query", posted)).status).toBe(404);
  expect((await post("/platform/payments", posted)).status).toBe(200);
  expect((await post("/platform/payments", { ...posted, amount: 1 })).status).toBe(409);
});
