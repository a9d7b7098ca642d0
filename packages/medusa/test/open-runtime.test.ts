import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { money, refundPayment, silentLog } from "@tillkit/core";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { PaymentPage } from "../src/admin-api/list-payments.ts";
import { POST as answer } from "../src/api/admin/tillkit/copy/route.ts";
import { GET as listPayments } from "../src/api/admin/tillkit/payments/route.ts";
import { readOptions } from "../src/options/options.ts";
import { openRuntime } from "../src/runtime/open-runtime.ts";
import { createAdminRequests } from "./admin-requests.ts";
import { createFakeMedusa } from "./fake-medusa/fake-medusa.ts";
import { trustingProvider } from "./medusa-harness.ts";

const OLD_KEY = "an old key of the tests, long enough to seal with";
const NEW_KEY = "a new key of the tests, long enough to seal with";

let sandbox: Sandbox;
let folder: string;
beforeEach(async () => {
  sandbox = await createSandbox();
  folder = await mkdtemp(join(tmpdir(), "tillkit-medusa-"));
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

it("a Medusa with the copied database of another shop refunds nothing, until a person says on the payments page that the shop moved", async () => {
  const { container } = createFakeMedusa(trustingProvider(new Map()));
  const databaseUrl = `sqlite:${join(folder, "ledger.db")}`;
  const openAt = async (shop: string) => {
    const options = readOptions({
      apiKey: sandbox.keys.test.secret,
      service: { baseUrl: sandbox.baseUrl },
      webhookSecrets: ["whsec_of_the_tests"],
      keys: [NEW_KEY],
      returnUrl: `https://${shop}/return`,
    });
    return await openRuntime({ options, container, databaseUrl, log: silentLog });
  };
  await (await openAt("shop.example")).close();
  const runtime = await openAt("staging.example");
  const admin = createAdminRequests(async () => runtime);
  const asked = async () => ((await admin.request(listPayments, { query: {} })).body as PaymentPage).copy;
  const refund = { paymentId: "no-payment", key: "click-1", amount: money(1, "XOF"), origin: "store" } as const;
  await expect(refundPayment(runtime.engine, refund)).rejects.toMatchObject({ code: "installation_unknown" });
  expect(await asked()).toMatchObject({ address: "staging.example", original: "shop.example" });
  await admin.request(answer, { body: { address: "staging.example", answer: "moved" } });
  expect(await asked()).toBeNull();
  await expect(refundPayment(runtime.engine, refund)).rejects.toMatchObject({ code: "payment_not_found" });
  await runtime.close();
});

it("the webhook's secret survives the rotation of the store's key", async () => {
  const { container } = createFakeMedusa(trustingProvider(new Map()));
  const secretsWith = async (...keys: string[]) => {
    const options = readOptions({
      apiKey: sandbox.keys.test.secret,
      service: { baseUrl: sandbox.baseUrl },
      registerWebhookAt: "https://medusa.example",
      keys,
      returnUrl: "https://shop.example/return",
    });
    const databaseUrl = `sqlite:${join(folder, "ledger.db")}`;
    const runtime = await openRuntime({ options, container, databaseUrl, log: silentLog });
    const endpoint = await runtime.engine.tenants.endpoint("medusa");
    await runtime.close();
    return endpoint?.secrets;
  };
  const first = await secretsWith(OLD_KEY);
  expect(first).toHaveLength(1);
  expect(await secretsWith(NEW_KEY, OLD_KEY)).toEqual(first);
  expect(await secretsWith(NEW_KEY)).toEqual(first);
});
