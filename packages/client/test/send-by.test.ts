import { expect, test } from "vitest";
import { responds, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const REFUND = { transaction_id: "txn_8QW3ER5TYU7KPA", amount: 5_000 };

test("a call after its last moment sends nothing and says so", async () => {
  const service = await startFaultServer(responds(200, {}));
  const { client, clock } = testClient(service.baseUrl);
  const call = client.refunds.create(REFUND, { idempotencyKey: "refund:1", sendBy: clock.now() });
  await expect(call).rejects.toMatchObject({ code: "not_sent", mayHaveSucceeded: false, retryable: false });
  expect(service.received).toEqual([]);
});

test("no attempt is repeated after the last moment, and the doubt of an earlier attempt stays", async () => {
  const service = await startFaultServer(responds(503, { error: { code: "service_unavailable", message: "Busy." } }));
  const { client, clock } = testClient(service.baseUrl);
  const sendBy = clock.now() + 300;
  const call = client.refunds.create(REFUND, { idempotencyKey: "refund:1", sendBy });
  await expect(call).rejects.toMatchObject({ code: "service_unavailable", mayHaveSucceeded: true });
  expect(service.received.length).toBeLessThanOrEqual(3);
  expect(clock.now()).toBeLessThan(sendBy);
});

test("a call before its last moment is sent", async () => {
  const service = await startFaultServer(responds(200, {}));
  const { client, clock } = testClient(service.baseUrl);
  const options = { idempotencyKey: "refund:1", sendBy: clock.now() + 60_000 };
  await client.refunds.create(REFUND, options).catch(() => undefined);
  expect(service.received).toHaveLength(1);
});
