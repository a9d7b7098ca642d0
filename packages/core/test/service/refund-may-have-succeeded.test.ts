import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { expect, it, onTestFinished } from "vitest";
import { serviceFromClient } from "../../src/hosts.ts";
import { systemClock } from "../../src/index.ts";

/** A service that takes the first POST, loses its response, and answers the next POSTs with 404. */
async function openService(): Promise<string> {
  let posts = 0;
  const server = createServer((request, response) => {
    posts += 1;
    request.resume().on("end", () => {
      if (posts === 1) return void request.socket.destroy();
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { code: "not_found", message: "no such transaction" } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("a refund whose first response was lost is not refused, whatever the service answers to its repeat", async () => {
  const client = createServiceClient({ apiKey: `svc_sk_test_${"a".repeat(32)}`, baseUrl: await openService() });
  const service = serviceFromClient(client, systemClock);
  const request = JSON.stringify({
    transaction_id: "0b7f1c9e-6a0e-4f6e-9d6b-0c8f4f0f9b11",
    amount: 2_000,
    reason: "requested_by_customer",
    refund_type: "partial",
  });
  const input = {
    paymentId: "payment-1",
    request,
    key: "click-1",
    account: null,
    deadlineMs: 5_000,
    sendBy: Date.now() + 60_000,
  };
  await expect(service.refund(input)).rejects.toMatchObject({ code: "service_unavailable", retryable: true });
});
