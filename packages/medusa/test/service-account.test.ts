import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLog } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readOptions } from "../src/options/options.ts";
import { openTenants } from "../src/runtime/open-tenants.ts";

let service: Server;
let receivedHeaders: IncomingHttpHeaders;
beforeEach(async () => {
  service = createServer((request, response) => {
    receivedHeaders = request.headers;
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise<void>((resolve) => service.close(() => resolve())));

async function openService() {
  const { port } = service.address() as AddressInfo;
  const options = readOptions({
    apiKey: "svc_sk_test_of_the_tests",
    service: { baseUrl: `http://127.0.0.1:${port}`, version: "2026-01-01" },
    webhookSecrets: ["whsec_of_the_tests"],
    keys: ["a key of the tests, long enough to sign with"],
    returnUrl: "https://shop.example/return",
    account: "acct_1",
  });
  const tenants = await openTenants({ options, environment: "test", ledger: createMemoryLedger(), log: silentLog });
  const credential = await tenants.credentialFor("medusa", "test");
  return await tenants.service(credential.id);
}

it("calls to the service name the configured account and API version", async () => {
  const client = await openService();
  await expect(
    client.openSession({ request: "{}", key: "payment-1", account: "acct_1", deadlineMs: 5_000 }),
  ).rejects.toThrow();
  expect(receivedHeaders).toMatchObject({ "service-account": "acct_1", "service-version": "2026-01-01" });
});

it.each([null, "acct_old"])(
  "a payment that was opened for the account %s is refunded for it, whatever is configured now",
  async (account) => {
    const client = await openService();
    const refund = {
      paymentId: "payment-1",
      request: "{}",
      key: "refund-1",
      account,
      deadlineMs: 5_000,
      sendBy: Date.now() + 60_000,
    };
    await expect(client.refund(refund)).rejects.toThrow();
    expect(receivedHeaders["service-account"] ?? null).toBe(account);
  },
);
