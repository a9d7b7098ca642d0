import { describe, expect, it } from "vitest";
import { expectInvalid } from "../answer.ts";
import { startService } from "../service.ts";
import { listen, paidSession, paymentEvents } from "../steps.ts";

describe("Webhook URLs", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const create = (url: string) =>
    service.call("POST /webhooks", { body: { url, authorized_events: ["PAYMENT_SUCCEEDED"] } });

  it.each([
    "http://user:password@127.0.0.1:9/hooks",
    "https://user@shop.example/hooks",
    "https://:p@shop.example/hooks",
  ])("a webhook URL with user or password (%s) is refused, because deliveries carry no Authorization", async (url) => {
    expectInvalid(await create(url), "url");
    const { id } = await listen(service, service.call, ["PAYMENT_SUCCEEDED"]);
    expectInvalid(await service.call("PATCH /webhooks/{id}", { params: { id }, body: { url } }), "url");
  });

  it("no delivery carries Authorization or X-API-Key: neither an event nor a test event", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.call, paymentEvents);
    receiver.answer(200, 400, 200);
    await paidSession(service, shop.call);
    await receiver.wait(2);
    await shop.call("POST /webhooks/{id}/test", { params: { id } });
    for (const { headers } of receiver.deliveries) {
      expect(headers).not.toHaveProperty("authorization");
      expect(headers).not.toHaveProperty("x-api-key");
    }
  });

  it.each([
    "[::127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::10.0.0.5]",
    "[2002:7f00:1::]",
    "[2002:a00:5::1]",
    "[fe80::1]",
    "0x7f000001",
    "0177.0.0.1",
    "0x7f.1",
    "127.1",
    "127.0.0.1.",
    "localhost.",
  ])("the private address %s is refused as a webhook URL in this spelling, too", async (host) => {
    await service.withSettings({ allowLoopbackWebhooks: false }, async () => {
      expect((await create(`http://${host}/hooks`)).status).toBe(400);
    });
  });
});
