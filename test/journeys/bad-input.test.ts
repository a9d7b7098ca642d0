import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryLedger } from "@tillkit/core";
import { createCheckoutServer } from "@tillkit/server";
import { createManualClock, createReadThenWriteStore } from "@tillkit/testkit";
import express from "express";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linkIn, openWorld, type World } from "./world.ts";

describe("whoever sends something wrong", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld("read-then-write");
  });
  afterEach(async () => {
    await world.close();
  });

  const api = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${world.sandbox.baseUrl}${path}`, {
      ...init,
      headers: { "X-API-Key": world.sandbox.keys.test.secret, "Content-Type": "application/json", ...init.headers },
    });
    return { status: response.status, body: (await response.json()) as { error: { code: string; message: string } } };
  };

  it("malformed JSON to the service is told so", async () => {
    const { status, body } = await api("/v1/checkout-sessions", { method: "POST", body: '{"amount":' });
    expect(status).toBe(400);
    expect(body.error.code).toBe("bad_request");
    expect(body.error.message).toMatch(/\w+ \w+/);
  });

  it("a huge body to the webhook route is told its limit", async () => {
    const response = await fetch(`${world.origin}/hooks/service/main`, {
      method: "POST",
      body: "x".repeat(300 * 1024),
      headers: { "X-Service-Signature": "0".repeat(64) },
    });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain("256 KB");
  });

  it("a link to a payment that does not exist, or one that was cut off, gets a page that says what to do", async () => {
    for (const path of ["/pay/nonsense", "/return/nonsense", "/cancel/a.b.c"]) {
      const page = await world.visit(`${world.origin}${path}`, { "Accept-Language": "fr" });
      expect(page.status).toBe(404);
      expect(page.text).toContain('lang="fr"');
      expect(page.text).toContain("<h1");
    }
  });

  it("a link that is too old gets a page that says what to do", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    const link = await world.returnLink(begun);
    // A month of looking for work every second would take its time.
    await world.till().close();
    await world.clock.advance(31 * 24 * 3_600_000);
    const page = await world.visit(link);
    expect(page.status).toBe(410);
    expect(page.text).toContain("<h1");
    await world.restart();
  });

  it("an order that is gone by the time the shopper comes to pay again gets a page that says what to do", async () => {
    const placed = await world.placeOrder();
    const begun = await world.pressPay(placed);
    world.store.cancelOrder(placed.ref.orderId);
    const page = await world.visit((await world.returnLink(begun)).replace("/return/", "/pay/"));
    expect(page.status).toBe(403);
    const waiting = await world.visit(await world.returnLink(begun));
    const refused = await world.visit(linkIn(waiting.text, "pay", await world.returnLink(begun)));
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("<h1");
  });
});

describe("whoever configures something wrong", () => {
  const options = {
    publicUrl: "https://shop.example",
    keys: ["a key that is long enough to sign links with it"] as const,
    ledger: createMemoryLedger(),
    stores: { shop: createReadThenWriteStore({ clock: createManualClock() }).adapter },
    credentials: [
      {
        storeIds: ["shop"],
        apiKey: `svc_sk_test_${"a".repeat(32)}`,
        baseUrl: "https://service.example",
        endpointId: "main",
        webhookSecrets: ["whsec_1"],
      },
    ],
  };

  it.each([
    [{ keys: ["short"] as const }, /32/],
    [{ publicUrl: "http://shop.example" }, /https/],
    [{ credentials: [{ ...options.credentials[0], apiKey: "" }] }, /svc_sk_/],
    [{ credentials: [{ ...options.credentials[0], storeIds: ["other"] }] }, /other/],
  ])("is told at the start, in one sentence: %#", (change, sentence) => {
    expect(() => createCheckoutServer({ ...options, ...change } as typeof options)).toThrow(sentence);
  });

  it("puts a body parser in front of the webhook route: the log names the fix, and the service is asked to try again", async () => {
    const lines: string[] = [];
    const write = (message: string, fields?: unknown) => lines.push(`${message} ${JSON.stringify(fields)}`);
    const till = createCheckoutServer({ ...options, log: { info: write, warn: write, error: write } });
    const app = express();
    app.use(express.json());
    app.use(till.router);
    const http = createServer(app);
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/hooks/service/main`, {
      method: "POST",
      body: "{}",
      headers: { "Content-Type": "application/json", "X-Service-Signature": "0".repeat(64) },
    });
    expect(response.status).toBe(503);
    expect(lines.join("\n")).toContain("checkout.listener(app)");
    await till.close();
    http.close();
  });
});
