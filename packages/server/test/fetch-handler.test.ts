import { createHash } from "node:crypto";
import { signWebhook } from "@tillkit/client/webhooks";
import { afterEach, describe, expect, test } from "vitest";
import { createFetchHandler } from "../src/http/fetch-handler.ts";
import { type FixtureOptions, type MerchantFixture, openMerchant, WEBHOOK_SECRET } from "./fixtures/merchant.ts";

let merchant: MerchantFixture;
afterEach(() => merchant.close());

async function open(options: FixtureOptions = {}): Promise<void> {
  merchant = await openMerchant(options);
}

function deliveryOf(body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Request {
  return new Request(`${merchant.url}/hooks/service/boutique-test`, {
    method: "POST",
    headers: { "x-service-signature": signWebhook(body, WEBHOOK_SECRET), ...headers },
    body,
  });
}

describe("a shop on a host with fetch-standard requests", () => {
  test("a webhook of any bytes is stored byte for byte before the answer", async () => {
    await open();
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x0d, 0x0a, 0xff, 0xfe, 0x00, 0x7d]);
    const answer = await merchant.checkout.fetch(deliveryOf(bytes));
    expect([answer.status, await answer.json()]).toEqual([200, { code: "received", message: expect.any(String) }]);
    const digest = createHash("sha256").update(bytes).digest("hex");
    const stored = await merchant.ledger.delivery("boutique-test", digest);
    expect(Buffer.from(stored?.bytes ?? []).equals(bytes)).toBe(true);
  });

  test("a shopper who returns gets the same page as on Express", async () => {
    await open();
    const { returnPath } = await merchant.startPayment();
    const overFetch = await merchant.checkout.fetch(new Request(`${merchant.url}${returnPath}`));
    const overExpress = await merchant.get(returnPath);
    expect(overFetch.status).toBe(overExpress.status);
    expect(overFetch.headers.get("content-security-policy")).toBe(overExpress.headers.get("content-security-policy"));
    expect((await overFetch.text()).length).toBe((await overExpress.text()).length);
  });

  test.each(["with", "without"])("routes are found %s the path of the public URL", async (way) => {
    await open({ basePath: "/pay" });
    const { origin } = new URL(merchant.url);
    const answer = await merchant.checkout.fetch(new Request(`${origin}${way === "with" ? "/pay" : ""}/healthz`));
    expect(answer.status).toBe(200);
  });

  test("a host that read the body first makes the service deliver again, and the log names the fix", async () => {
    await open();
    const request = deliveryOf(Buffer.from('{"a":1}'));
    await request.json();
    const answer = await merchant.checkout.fetch(request);
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "body_already_read" }]);
    const logged = merchant.lines.find(({ message }) => message === "webhook.body_already_read");
    expect(logged?.fields.fix).toContain("checkout.fetch");
    expect(await merchant.ledger.nextDueAt()).toBeNull();
  });

  test("a host that passes on an empty body is answered like a host that read the body first", async () => {
    await open();
    const answer = await merchant.checkout.fetch(deliveryOf(new Uint8Array(0)));
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "body_already_read" }]);
  });

  test("an endless body is refused", async () => {
    await open();
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
    const request = new Request(`${merchant.url}/hooks/service/boutique-test`, {
      method: "POST",
      headers: { "x-service-signature": "0".repeat(64) },
      body: endless,
      duplex: "half",
    } as RequestInit);
    expect((await merchant.checkout.fetch(request)).status).toBe(413);
  });

  test("an address that belongs to no route is a 404 that the host can answer itself", async () => {
    await open();
    expect((await merchant.checkout.fetch(new Request(`${merchant.url}/about-us`))).status).toBe(404);
  });

  test("a response keeps each of its cookies", async () => {
    await open();
    const handle = createFetchHandler((_request, response) => {
      response
        .writeHead(
          204,
          [
            ["Set-Cookie", "a=1"],
            ["Set-Cookie", "b=2"],
          ].flat(),
        )
        .end();
    });
    const answer = await handle(new Request("https://shop.example/"));
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([204, ["a=1", "b=2"]]);
  });
});
