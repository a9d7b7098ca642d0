import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readOrder } from "../src/operations/order-queries.ts";
import { modificationMutations, resolvePayment } from "../src/operations/payments-operations.ts";
import { createShopCircuitBreakers } from "../src/shopify-api/circuit-breakers.ts";
import { createGraphql, type Graphql } from "../src/shopify-api/graphql.ts";

const SHOP = "acme.myshopify.com";
const { resolve } = modificationMutations.refund;
const DONE = { status: 200, body: { data: { refundSessionResolve: { refundSession: { id: "1" }, userErrors: [] } } } };

type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "reset";

/** The next answers of Shopify; after them it answers {@link DONE}. */
let answers: Answer[];
let requests: { path: string; headers: IncomingHttpHeaders; body: { query: string; variables: unknown } }[];
let reconnectReasons: string[];
let denials: string[];
let renewals: string[];
let clock: ManualClock;
let graphql: Graphql;

const shopify = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"));
  requests.push({ path: request.url ?? "", headers: request.headers, body });
  const answer: Answer = answers.shift() ?? DONE;
  if (answer === "reset") return request.socket.destroy();
  const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {});
  return response.writeHead(answer.status, answer.headers).end(text);
});

beforeEach(async () => {
  answers = [];
  requests = [];
  reconnectReasons = [];
  denials = [];
  renewals = [];
  clock = createManualClock();
  await new Promise<void>((done) => shopify.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(shopify.address() as AddressInfo).port}`;
  graphql = createGraphql({
    tokens: {
      get: async () => "token-0",
      replace: async (_shop, refused) => {
        renewals.push(refused);
        return "token-1";
      },
    },
    shopUrl: (shop) => `${origin}/${shop}`,
    apiVersion: "2026-07",
    clock,
    onAnswered: async () => {},
    onReconnectRequired: async (_shop, reason) => {
      reconnectReasons.push(reason);
    },
    onAccessDenied: async (_shop, operation) => {
      denials.push(operation);
    },
  });
});
afterEach(async () => {
  shopify.closeAllConnections();
  await new Promise((done) => shopify.close(done));
});

const call = () => graphql.call(SHOP, resolve, { id: "gid://1" });
const expectFailure = async (code: string) => await expect(call()).rejects.toMatchObject({ name: "StoreError", code });

describe("GraphQL calls", () => {
  test("a call goes to the configured API version with the shop's token", async () => {
    expect(await call()).toEqual({ userErrors: [] });
    expect(requests).toMatchObject([
      {
        path: "/acme.myshopify.com/payments_apps/api/2026-07/graphql.json",
        headers: { "x-shopify-access-token": "token-0", "content-type": "application/json" },
        body: { query: resolve.text, variables: { id: "gid://1" } },
      },
    ]);
    answers.push({ status: 200, body: { data: { order: null } } });
    expect(await graphql.call(SHOP, readOrder, { id: "gid://2" })).toBeNull();
    expect(requests[1]?.path).toBe("/acme.myshopify.com/admin/api/2026-07/graphql.json");
  });

  test("a call with userErrors returns them and is not repeated", async () => {
    const userErrors = [{ field: ["id"], message: "Payment session has already been resolved." }];
    answers.push({ status: 200, body: { data: { paymentSessionResolve: { paymentSession: null, userErrors } } } });
    expect(await graphql.call(SHOP, resolvePayment, { id: "gid://1" })).toEqual({ paymentSession: null, userErrors });
    expect(requests).toHaveLength(1);
  });

  test.each([401, 403, 404])("a call whose token is refused with %s is repeated with a new token", async (status) => {
    answers.push({ status });
    expect(await call()).toEqual({ userErrors: [] });
    expect(renewals).toEqual(["token-0"]);
    expect(requests.map(({ headers }) => headers["x-shopify-access-token"])).toEqual(["token-0", "token-1"]);
  });

  test("a call whose new token is refused too fails with reconnect", async () => {
    answers.push({ status: 401 }, { status: 401 });
    await expectFailure("reconnect");
    expect(requests).toHaveLength(2);
    expect(reconnectReasons).toHaveLength(1);
    expect(reconnectReasons[0]).not.toContain("token-");
  });

  test.each([
    ["500", { status: 500 }, "unknown"],
    ["503 with a page", { status: 503, body: "<html>" }, "unknown"],
    ["a page that is no JSON", { status: 200, body: "<!doctype html>" }, "unknown"],
    ["an answer of another shape", { status: 200, body: { data: { somethingElse: {} } } }, "unknown"],
    ["a list", { status: 200, body: [] }, "unknown"],
    [
      "an internal error in an answer of 200",
      { status: 200, body: { errors: [{ message: "x", extensions: { code: "INTERNAL_SERVER_ERROR" } }] } },
      "unknown",
    ],
    ["a shop that is frozen", { status: 402 }, "unavailable"],
    ["a shop that is locked", { status: 423 }, "unavailable"],
    [
      "a redirect, which is not followed",
      { status: 302, headers: { Location: "https://evil.example/" } },
      "unavailable",
    ],
    [
      "a scope that was not granted",
      { status: 200, body: { errors: [{ message: "x", extensions: { code: "ACCESS_DENIED" } }] } },
      "unavailable",
    ],
    [
      "a field that does not exist",
      { status: 200, body: { errors: [{ message: "x", extensions: { code: "undefinedField" } }] } },
      "unavailable",
    ],
  ] as [string, Answer, string][])(
    "a call that Shopify answers with %s fails with the right code",
    async (_answerDescription, answer, code) => {
      answers.push(answer);
      await expectFailure(code);
      expect(requests).toHaveLength(1);
    },
  );

  test("a lost mutation fails with unknown, and a lost query fails with unavailable", async () => {
    answers.push("reset");
    await expectFailure("unknown");
    answers.push("reset");
    await expect(graphql.call(SHOP, readOrder, { id: "1" })).rejects.toMatchObject({ code: "unavailable" });
  });

  test("a throttled call waits until the bucket has enough points", async () => {
    const cost = {
      requestedQueryCost: 110,
      throttleStatus: { maximumAvailable: 2_000, currentlyAvailable: 10, restoreRate: 100 },
    };
    answers.push({
      status: 200,
      body: { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }], extensions: { cost } },
    });
    const calling = call();
    await waitForRequests(1);
    // The call lacks 100 points, and Shopify restores 100 a second.
    await clock.advance(999);
    expect(requests).toHaveLength(1);
    await clock.advance(1);
    expect(await calling).toEqual({ userErrors: [] });
    expect(requests).toHaveLength(2);
  });

  test("a call that must wait for a long time fails, and the shop's circuit stays open for that time", async () => {
    answers.push({ status: 429, headers: { "Retry-After": "30" } });
    await expectFailure("unavailable");
    await expectFailure("unavailable");
    expect(requests).toHaveLength(1);
    await clock.advance(30_000);
    expect(await call()).toEqual({ userErrors: [] });
  });

  test.each([
    ["seconds", "999999999"],
    ["a date", "Fri, 31 Dec 9999 23:59:59 GMT"],
  ])("a shop that asks for a wait of years, in %s, is asked again after a minute", async (_form, retryAfter) => {
    answers.push({ status: 429, headers: { "Retry-After": retryAfter } });
    await expectFailure("unavailable");
    await expectFailure("unavailable");
    expect(requests).toHaveLength(1);
    await clock.advance(60_000);
    await expect(call()).resolves.toEqual({ userErrors: [] });
  });

  test("the circuit of a shop that a clock a month ahead has opened closes within a minute after the clock was set back", async () => {
    let aheadMs = 30 * 86_400_000;
    const breakers = createShopCircuitBreakers({ ...clock, now: () => clock.now() + aheadMs });
    expect(() => breakers.giveUp(SHOP, 30_000)).toThrow("throttles");
    aheadMs = 0;
    expect(() => breakers.assertClosed(SHOP)).toThrow("throttles");
    await clock.advance(60_000);
    expect(() => breakers.assertClosed(SHOP)).not.toThrow();
  });

  test("a shop that throttles a call three times takes calls again after the wait that it asked for", async () => {
    for (let count = 0; count < 3; count += 1) answers.push({ status: 429, headers: { "Retry-After": "1" } });
    const calling = expectFailure("unavailable");
    for (let count = 1; count <= 3; count += 1) {
      await waitForRequests(count);
      await clock.advance(1_000);
    }
    await calling;
    expect(await call()).toEqual({ userErrors: [] });
  });

  test("the circuit of a shop that does not answer opens for a time that grows to a minute", async () => {
    const secondsOfRequests: number[] = [];
    for (let second = 0; second < 300; second += 1) {
      answers = ["reset"];
      const before = requests.length;
      await call().catch(() => undefined);
      if (requests.length > before) secondsOfRequests.push(second);
      await clock.advance(1_000);
    }
    // Open after three failures in a row: for 5 seconds, then 10, 20, 40, and 60 from then on.
    expect(secondsOfRequests).toEqual([0, 1, 2, 7, 17, 37, 77, 137, 197, 257]);
    answers = [];
    await clock.advance(60_000);
    expect(await call()).toEqual({ userErrors: [] });
  });
});

async function waitForRequests(count: number): Promise<void> {
  while (requests.length < count) await new Promise((done) => setTimeout(done, 5));
  await new Promise((done) => setTimeout(done, 30));
}
