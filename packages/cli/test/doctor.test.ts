import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { amount, examplePayment, storeDeadJob, storePayments } from "./example-ledger.ts";
import { readLines } from "./json-line.ts";
import { createMerchantFixture, type MerchantFixture } from "./merchant-fixture.ts";
import { runProgram } from "./program.ts";

let merchant: MerchantFixture;
const servers: Server[] = [];
beforeAll(async () => {
  await buildProgram();
  merchant = await createMerchantFixture();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => merchant.close());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The statuses of the checks, by name: `{ health: "ok" }`; of several checks with one name, the last. */
async function examine(...args: string[]) {
  // The doctor examines only the service and the ledger that `args` name, not those of the environment.
  const { SERVICE_BASE_URL, DATABASE_URL, SERVICE_SECRET_KEY, ...otherVariables } = merchant.env;
  const secretKey = args.includes("--service") ? SERVICE_SECRET_KEY : "";
  const env = { ...otherVariables, SERVICE_SECRET_KEY: secretKey ?? "" };
  const { code, out, error } = await runProgram(["doctor", ...args, "--json"], { env });
  const checks = readLines("doctor", out);
  const messages = checks.map(({ message }) => message).join("\n");
  return { code, error, messages, statuses: Object.fromEntries(checks.map(({ check, status }) => [check, status])) };
}

describe("tillkit doctor --server", () => {
  /** Refuses unsigned webhooks on every path but `/open`, and reports one warning. */
  const checkoutServer: RequestListener = (request, response) => {
    const isRefused = request.method === "POST" && request.url !== "/open";
    const body = { ok: true, ready: true, warnings: ["Renew the version of the API."] };
    response.writeHead(isRefused ? 401 : 200).end(JSON.stringify(body));
  };

  it("a server that works is confirmed check by check, with what its operator must change soon", async () => {
    const address = await serve(checkoutServer);
    const { code, error, messages, statuses } = await examine("--server", address, "--webhook", `${address}/webhooks`);
    expect([code, error]).toEqual([0, ""]);
    expect(statuses).toEqual({ address: "ok", health: "ok", ready: "warning", clock: "ok", webhook: "ok" });
    expect(messages).toContain("/readyz: Renew the version of the API.");
    const { out } = await runProgram(["doctor", "--server", address], { env: merchant.env });
    expect(out.match(/^✓ /gm)).toHaveLength(4);
  });

  it("a server that accepts unsigned webhooks, at a URL that is no webhook endpoint of the service, has two errors", async () => {
    const address = await serve(checkoutServer);
    const service = ["--service", merchant.sandbox.baseUrl];
    const { code, error, messages } = await examine("--server", address, "--webhook", `${address}/open`, ...service);
    expect([code, JSON.parse(error)]).toEqual([1, { error: { code: "failed", message: "2 errors were found." } }]);
    expect(messages).toContain("accepts a webhook without a signature");
    expect(messages).toContain("The service has no webhook endpoint at");
  });

  it("a server that reports refused webhooks has an error, and advice about a body parser is passed on", async () => {
    const warnings = [{ code: "webhooks_refused", message: "The webhooks are refused." }];
    const advice = "A body parser read this webhook first: mount the checkout before it.";
    const address = await serve((request, response) => {
      const isHook = request.method === "POST";
      const body = isHook ? { code: "body_already_read", message: advice } : { ok: true, ready: true, warnings };
      response.writeHead(isHook ? 503 : 200).end(JSON.stringify(body));
    });
    const { code, messages, statuses } = await examine("--server", address, "--webhook", `${address}/webhooks`);
    expect([code, statuses.ready, statuses.webhook]).toEqual([1, "error", "error"]);
    expect(messages).toContain("/readyz: The webhooks are refused.");
    expect(messages).toContain(advice);
  });

  it("a doctor that was aimed at the shop's root says where the checkout server is, or what to look for", async () => {
    const shop = await serve((request, response) => {
      const isCheckout = request.url?.startsWith("/checkout/");
      response.writeHead(isCheckout ? 200 : 404).end(isCheckout ? '{"ok":true,"ready":true}' : "<h1>Hats</h1>");
    });
    const aimed = await examine("--server", shop);
    expect([aimed.code, aimed.statuses]).toEqual([1, { address: "ok", health: "error" }]);
    expect(aimed.messages).toContain(`use --server ${shop}/checkout.`);
    expect((await examine("--server", `${shop}/checkout`)).code).toBe(0);
    const other = await serve((_request, response) => response.writeHead(200).end("<h1>Hats</h1>"));
    expect((await examine("--server", other)).messages).toContain("use its publicUrl, with the path");
  });

  it.each([
    [{ ledger: "unreachable" }, "Check that the database runs, its address and its password."],
    [{ ledger: "standby" }, "Point the address at the one that writes."],
    [{ ledger: "commits_wait" }, "take it out of the synchronous ones."],
    [{ ledger: "tables_differ" }, "Start the newest version of Tillkit, in every process."],
    [{ ledger: "clock_differs" }, "Synchronise it, for example with chrony"],
    [{ timer: "stuck" }, "Restart the process, and report its log."],
    [{ lagMs: 900_000 }, "show which shop or call holds them up."],
    [{ ledger: "something_new" }, "the server's log says why."],
  ])("of a server that is not ready because of %j, the doctor says what to do", async (reason, advice) => {
    const facts = { ready: false, ledger: "ready", timer: "alive", lagMs: 0, ...reason };
    const address = await serve((request, response) => {
      const isReady = request.url === "/readyz";
      response.writeHead(isReady ? 503 : 200).end(JSON.stringify(isReady ? facts : { ok: true }));
    });
    const { code, messages } = await examine("--server", address);
    expect(code).toBe(1);
    expect(messages).toContain(advice);
  });

  it("a server whose webhook secret is not the service's fails, although it refuses strangers as it should", async () => {
    const address = await serve(checkoutServer);
    const url = `${address}/hooks/service/shop`;
    const { CHECKOUT_EVENTS } = await import("@tillkit/client/webhooks");
    const { data } = await merchant.service.webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS] });
    const service = ["--service", merchant.sandbox.baseUrl];
    const { code, messages, statuses } = await examine("--server", address, ...service);
    expect([code, statuses.webhook, statuses.delivery]).toEqual([1, "ok", "error"]);
    expect(messages).toContain(`The service's test event to ${url} failed (401): the server refused its signature.`);
    await merchant.service.webhooks.delete(data.id ?? "");
  });

  it("the doctor names a key that the service refuses, and what to do, as an error", async () => {
    const service = await serve((_request, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"error":{"code":"unauthorized","message":"No."}}');
    });
    const { code, messages, statuses } = await examine("--server", await serve(checkoutServer), "--service", service);
    expect([code, statuses.key, statuses.health]).toEqual([1, "error", "ok"]);
    expect(messages).toContain("it was revoked, replaced or mistyped. Create a key in the service's dashboard");
  });

  it("the doctor says whether the service names its transactions", async () => {
    const transaction = { transaction_id: "t-1", status: "completed", gross_amount: 5000, currency_code: "XOF" };
    const ties: { checkout_session_id?: string } = {};
    const service = await serve((request, response) => {
      const row = { ...transaction, ...ties, created_at: new Date().toISOString() };
      const session = { id: "s-1", checkout_session_id: "s-1", status: "completed", transaction_id: "t-1" };
      const answers: readonly (readonly [string, unknown])[] = [
        ["/transactions/", row],
        ["/transactions", { data: [row], has_more: false }],
        ["/checkout-sessions/", session],
        ["/webhooks", []],
      ];
      const [, body] = answers.find(([path]) => request.url?.includes(path)) ?? [];
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const address = await serve(checkoutServer);
    const unnamed = await examine("--server", address, "--service", service);
    expect(unnamed.statuses.transactions).toBe("warning");
    expect(unnamed.messages).toContain("None of the newest 1 completed transactions names a session or a payment");
    ties.checkout_session_id = "s-1";
    const named = await examine("--server", address, "--service", service);
    expect(named.statuses.transactions).toBe("ok");
    expect(named.messages).toContain("names its session, and the session names its transaction");
  });

  it("the doctor says what to do about a server that does not answer, an address without encryption and missing options", async () => {
    const { messages } = await examine("--server", "http://127.0.0.1:9");
    expect(messages).toContain("does not answer: start the server");
    expect((await examine("--server", "http://shop.invalid")).messages).toContain("--server must begin with https://");
    for (const args of [[], ["--medusa"], ["--server", "http://127.0.0.1:9", "--shopify"]])
      expect(await examine(...args)).toMatchObject({ code: 2, error: expect.stringContaining("Say what to check") });
  });
});

describe("tillkit doctor --medusa", () => {
  /** Answers as a Medusa with the plugin does: it is healthy, and refuses an unsigned webhook. */
  const medusa: RequestListener = (request, response) => {
    const isSigned = request.headers["x-service-signature"] !== undefined;
    const hook = isSigned ? 200 : 401;
    const statuses: Readonly<Record<string, number>> = { "GET /health": 200, "POST /tillkit/webhooks/medusa": hook };
    response.writeHead(statuses[`${request.method} ${request.url}`] ?? 404).end("OK");
  };

  it("a Medusa whose plugin is in place is confirmed, from its routes to its endpoint and its tables", async () => {
    const address = await serve(medusa);
    await merchant.service.webhooks.create({
      url: `${address}/tillkit/webhooks/medusa`,
      authorized_events: (await import("@tillkit/client/webhooks")).CHECKOUT_EVENTS.slice(),
    });
    await merchant.paySession();
    const ledger = `${merchant.env.DATABASE_URL}.medusa`;
    await storePayments(ledger, []);
    const args = ["--medusa", "--server", address, "--service", merchant.sandbox.baseUrl, "--ledger", ledger];
    const { code, messages, statuses } = await examine(...args);
    expect([code, messages]).toEqual([0, expect.stringContaining("/health: Medusa works.")]);
    const expected = [
      "address",
      "health",
      "clock",
      "webhook",
      "endpoint",
      "delivery",
      "transactions",
      "ledger",
      "work",
      "dead-letters",
      "holds",
    ];
    expect(statuses).toEqual(Object.fromEntries(expected.map((name) => [name, "ok"])));
  });

  it("a Medusa without the plugin entry is told which entry is missing, and what was not checked is named", async () => {
    const address = await serve((request, response) => {
      response.writeHead(request.url === "/health" ? 200 : 404).end();
    });
    const { code, messages, statuses } = await examine("--medusa", "--server", address);
    expect(code).toBe(1);
    expect(statuses).toMatchObject({ webhook: "error", endpoint: "warning", ledger: "warning" });
    expect(messages).toContain("medusa-config.ts lacks the entry of the plugin");
  });

  it("the doctor counts dead-letter jobs and held payments, and names the commands that show them", async () => {
    const ledger = `${merchant.env.DATABASE_URL}.waiting`;
    const finding = { code: "amount_differs", expected: amount, found: null } as const;
    const held = examplePayment({ id: "p1", ref: { storeId: "medusa", orderId: "1" }, state: "review", finding });
    await storePayments(ledger, [held]);
    await storeDeadJob(ledger, held, { code: "unexpected", message: "one" });
    const { messages } = await examine("--medusa", "--server", await serve(medusa), "--ledger", ledger);
    expect(messages).toContain("1 job given up: tillkit jobs --dead-letter shows why.");
    expect(messages).toContain("1 payment held until the shop's owner decides: tillkit holds shows why.");
    const missing = await examine("--medusa", "--server", await serve(medusa), "--ledger", "sqlite:/no/such/ledger.db");
    expect(missing.messages).toContain("There is no ledger at /no/such/ledger.db: check the path.");
  });
});
