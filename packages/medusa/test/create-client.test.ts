import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryLedger, type Log, silentLog } from "@tillkit/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readOptions } from "../src/options/options.ts";
import { createCreateClient } from "../src/till/create-client.ts";

let service: Server;
let heard: IncomingHttpHeaders;
beforeEach(async () => {
  service = createServer((request, response) => {
    heard = request.headers;
    response.writeHead(404, { "content-type": "application/json", "x-request-id": "req_1" }).end("{}");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise<void>((resolve) => service.close(() => resolve())));

function clientOf(log: Log) {
  const { port } = service.address() as AddressInfo;
  const options = readOptions({
    apiKey: "svc_sk_test_of_the_tests",
    baseUrl: `http://127.0.0.1:${port}`,
    webhookSecrets: ["whsec_of_the_tests"],
    keys: ["a key of the tests, long enough to sign with"],
    returnUrl: "https://shop.example/return",
    serviceAccount: "acct_1",
    serviceVersion: "2026-01-01",
  });
  const { apiKey, baseUrl, serviceAccount: account, storeId, endpointId, webhookSecrets } = options;
  const credential = { storeIds: [storeId], apiKey, baseUrl, account, endpointId, webhookSecrets };
  return createCreateClient(
    options,
    createMemoryLedger(),
    log,
  )({ ...credential, id: "medusa-test", environment: "test" });
}

it("an Operator's calls name the account and the version that the shop wrote down", async () => {
  await expect(clientOf(silentLog).checkoutSessions.create("{}", { idempotencyKey: "payment-1" })).rejects.toThrow();
  expect(heard).toMatchObject({ "service-account": "acct_1", "service-version": "2026-01-01" });
});

it("a call that failed is in Medusa's log under the service's own name of it, without a key", async () => {
  const lines: unknown[] = [];
  const log = { ...silentLog, warn: (message: string, fields?: object) => lines.push({ message, ...fields }) };
  await expect(clientOf(log).checkoutSessions.read("session-1")).rejects.toThrow();
  expect(lines).toMatchObject([{ message: "service.call_failed", status: 404, requestId: "req_1" }]);
  expect(JSON.stringify(lines)).not.toContain("svc_sk");
});
