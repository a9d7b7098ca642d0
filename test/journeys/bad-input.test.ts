import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createCheckoutServer } from "@tillkit/server";
import { createManualClock, createReadThenWriteStore } from "@tillkit/testkit";
import express from "express";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type JourneyFixture, linkIn, openFixture } from "./fixture.ts";

describe("a caller that sends something wrong", () => {
  let fixture: JourneyFixture;
  beforeEach(async () => {
    fixture = await openFixture("read-then-write");
  });
  afterEach(async () => {
    await fixture.close();
  });

  const api = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${fixture.sandbox.baseUrl}${path}`, {
      ...init,
      headers: { "X-API-Key": fixture.sandbox.keys.test.secret, "Content-Type": "application/json", ...init.headers },
    });
    return { status: response.status, body: (await response.json()) as { error: { code: string; message: string } } };
  };

  it("a request with malformed JSON to the service gets the error bad_request with a message", async () => {
    const { status, body } = await api("/v1/checkout-sessions", { method: "POST", body: '{"amount":' });
    expect(status).toBe(400);
    expect(body.error.code).toBe("bad_request");
    expect(body.error.message).toMatch(/\w+ \w+/);
  });

  it("a huge body to the webhook route gets an error that names the limit", async () => {
    const response = await fetch(`${fixture.origin}/hooks/service/main`, {
      method: "POST",
      body: "x".repeat(300 * 1024),
      headers: { "X-Service-Signature": "0".repeat(64) },
    });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain("256 KB");
  });

  it("a link to an unknown payment and a cut-off link get a page with status 404 in the shopper's language", async () => {
    for (const path of ["/pay/nonsense", "/return/nonsense", "/cancel/a.b.c"]) {
      const page = await fixture.visit(`${fixture.origin}${path}`, { "Accept-Language": "fr" });
      expect(page.status).toBe(404);
      expect(page.text).toContain('lang="fr"');
      expect(page.text).toContain("<h1");
    }
  });

  it("a link that is too old gets a page with status 410", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    const link = await fixture.returnLink(checkout);
    // The server's timer would run jobs in every second of a simulated month, which would take long.
    await fixture.server().close();
    await fixture.clock.advance(31 * 24 * 3_600_000);
    const page = await fixture.visit(link);
    expect(page.status).toBe(410);
    expect(page.text).toContain("<h1");
    await fixture.restart();
  });

  it("a shopper who comes back to pay a cancelled order gets a page with status 409", async () => {
    const placed = await fixture.placeOrder();
    const checkout = await fixture.startCheckout(placed);
    fixture.store.cancelOrder(placed.ref.orderId);
    // The token of a return link does not open the route for paying.
    const page = await fixture.visit((await fixture.returnLink(checkout)).replace("/return/", "/pay/"));
    expect(page.status).toBe(403);
    const waiting = await fixture.visit(await fixture.returnLink(checkout));
    const refused = await fixture.visit(linkIn(waiting.text, "pay", await fixture.returnLink(checkout)));
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("<h1");
  });
});

describe("a merchant who configures something wrong", () => {
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
  ])("a wrong configuration is reported at the start in one sentence (%#)", (change, sentence) => {
    expect(() => createCheckoutServer({ ...options, ...change } as typeof options)).toThrow(sentence);
  });

  it("behind a body parser, the webhook route logs the fix and answers 503, so that the service retries", async () => {
    const lines: string[] = [];
    const write = (message: string, fields?: unknown) => lines.push(`${message} ${JSON.stringify(fields)}`);
    const server = createCheckoutServer({ ...options, log: { info: write, warn: write, error: write } });
    const app = express();
    app.use(express.json());
    app.use(server.router);
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
    await server.close();
    http.close();
  });
});
