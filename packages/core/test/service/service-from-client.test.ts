import { createServiceClient } from "@tillkit/client";
import { expect, it } from "vitest";
import { serviceFromClient, systemClock } from "../../src/index.ts";

it("a transaction id that the service would never assign is unknown without a call to the service", async () => {
  const client = createServiceClient({ apiKey: `svc_sk_test_${"a".repeat(32)}`, baseUrl: "http://127.0.0.1:9" });
  const service = serviceFromClient(client, systemClock);
  const query = { id: "b<e6d1c0-0c0f", account: null, deadlineMs: 1_000 };
  expect(await service.readTransaction(query)).toBeNull();
});
