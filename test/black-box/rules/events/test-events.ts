import { describe, expect, it } from "vitest";
import { aTime } from "../../answer.ts";
import { startService } from "../../service.ts";
import { listen } from "../../steps.ts";
import { dataOf } from "./event-data.ts";

describe("The test event of an endpoint", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it("test.webhook has its own envelope with event and type, and a payload that is marked as a test", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    await shop.call("POST /webhooks/{id}/test", { params: { id } });
    const [delivery] = await receiver.wait(1);
    const body = delivery?.body ?? {};
    expect(Object.keys(body)).toEqual([
      "id",
      "event",
      "type",
      "timestamp",
      "created",
      "data",
      "livemode",
      "webhook_id",
      "service_environment",
    ]);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^evt_test_/),
      event: "test.webhook",
      type: "test.webhook",
      livemode: false,
      timestamp: aTime,
      created: body.timestamp,
      webhook_id: id,
    });
    const { object } = dataOf([delivery]);
    expect(Object.keys(Object(object))).toEqual([
      "id",
      "organization_id",
      "test",
      "created",
      "status",
      "amount",
      "currency",
      "description",
      "metadata",
    ]);
    expect(object).toMatchObject({
      test: true,
      status: "success",
      amount: 1000,
      currency: "XOF",
      description: "Test event",
      metadata: { test_mode: true, webhook_id: id },
    });
  });

  it("a live endpoint's test event has livemode true", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.live, ["PAYMENT_SUCCEEDED"]);
    await shop.live("POST /webhooks/{id}/test", { params: { id } });
    expect((await receiver.wait(1))[0]?.body.livemode).toBe(true);
  });
});
