import { isPrivateAddress } from "@tillkit/client";
import { describe, expect, it } from "vitest";
import { deliveryTarget, resolvesToPrivateAddress } from "../src/webhooks/delivery-url.ts";
import { api, newEndpoint, openReceiver, openSandbox, paymentEvents } from "./open-sandbox.ts";
import { payNewSession } from "./payments.ts";

const withUser = (url: string) => url.replace("http://", "http://shop:secret@");

describe("a webhook URL with user and password", () => {
  it("the service refuses a webhook URL with a user or a password, at creation and at every change", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const { id } = await newEndpoint(sandbox, receiver.url);
    for (const url of [
      withUser(receiver.url),
      "https://shop@shop.example/hooks",
      "https://:secret@shop.example/hooks",
    ]) {
      for (const answer of [
        await api(sandbox, "POST /webhooks", { body: { url, authorized_events: paymentEvents } }),
        await api(sandbox, `PATCH /webhooks/${id}`, { body: { url } }),
      ]) {
        expect([answer.status, answer.json.error]).toMatchObject([
          400,
          { code: "validation_failed", details: { url: [expect.stringContaining("user or password")] } },
        ]);
      }
    }
    expect((await api(sandbox, `GET /webhooks/${id}`)).json.url).toBe(receiver.url);
  });

  it("a delivery has no credentials, and user and password of a stored URL are removed", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url);
    await payNewSession(sandbox);
    for (const { headers } of await receiver.waitFor(2)) {
      expect(headers).not.toHaveProperty("authorization");
      expect(headers).not.toHaveProperty("x-api-key");
    }
    expect(deliveryTarget(withUser(receiver.url)).href).toBe(receiver.url);
  });
});

// biome-ignore format: several hosts per line are easier to read
const privateHosts = [
  "127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "localhost", "localhost.",
  "shop.localhost", "LOCALHOST", "0.0.0.0", "0", "10.0.0.5", "0xa000005", "192.168.1.1", "172.16.0.1",
  "169.254.169.254", "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "192.0.0.1", "[::1]", "[::]",
  "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:0a00:0001]", "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]", "[64:ff9b::a00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:c0a8:101::1]",
  "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[fe80::5efe:10.0.0.1]", "[fe80::1]", "[fd00::1]", "[fec0::1]",
  "[ff02::1]",
];
// biome-ignore format: several hosts per line are easier to read
const publicHosts = [
  "8.8.8.8", "203.0.113.5", "172.32.0.1", "[2606:4700::1111]", "[::ffff:8.8.8.8]", "[64:ff9b::808:808]",
  "[2002:808:808::1]", "[2001:4860:4860::8888]",
];

describe("private addresses", () => {
  it.each(privateHosts)(
    "a webhook URL to the private host %s is refused when loopback is not allowed",
    async (host) => {
      expect(await resolvesToPrivateAddress(`https://${host}/hooks`)).toBe(true);
    },
  );

  it.each(publicHosts)("a webhook URL to the public host %s is accepted", async (host) => {
    expect(await resolvesToPrivateAddress(`https://${host}/hooks`)).toBe(false);
  });

  it("an address with a zone is private like the address without it", () => {
    expect([isPrivateAddress("fe80::1%eth0"), isPrivateAddress("2606:4700::1111%eth0")]).toEqual([true, false]);
  });

  it("the service refuses unusual spellings of a loopback address and delivers nothing to them", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const { port } = new URL(receiver.url);
    const endpoints = [];
    for (const host of ["localhost.", "[::ffff:7f00:1]", "0x7f.1"]) {
      endpoints.push(await newEndpoint(sandbox, `http://${host}:${port}/hooks`));
    }
    await sandbox.control.changeSettings({ allowLoopbackWebhooks: false });
    for (const { id, url } of endpoints) {
      expect((await api(sandbox, `PATCH /webhooks/${id}`, { body: { url } })).json.error.code).toBe("bad_request");
      const { json } = await api(sandbox, `POST /webhooks/${id}/test`);
      expect(json.error.message).toBe("The webhook endpoint did not answer: blocked_webhook_url");
    }
    expect(receiver.received).toEqual([]);
  });
});
