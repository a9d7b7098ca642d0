import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readOrder } from "../src/graphql/admin-operations.ts";
import { createGraphql, type Graphql } from "../src/graphql/graphql.ts";
import { moneyMutations, resolvePayment } from "../src/graphql/payments-operations.ts";

const SHOP = "acme.myshopify.com";
const { resolve } = moneyMutations.refund;
const DONE = { status: 200, body: { data: { refundSessionResolve: { refundSession: { id: "1" }, userErrors: [] } } } };

type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "reset";

let answers: Answer[];
let asked: { path: string; headers: IncomingHttpHeaders; body: { query: string; variables: unknown } }[];
let troubles: string[];
let renewals: string[];
let clock: ManualClock;
let graphql: Graphql;

const shopify = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"));
  asked.push({ path: request.url ?? "", headers: request.headers, body });
  const answer: Answer = answers.shift() ?? DONE;
  if (answer === "reset") return request.socket.destroy();
  const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {});
  return response.writeHead(answer.status, answer.headers).end(text);
});

beforeEach(async () => {
  [answers, asked, troubles, renewals] = [[], [], [], []];
  clock = createManualClock();
  await new Promise<void>((done) => shopify.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(shopify.address() as AddressInfo).port}`;
  graphql = createGraphql({
    tokens: {
      keep: async () => undefined,
      get: async () => "token-0",
      instead: async (_shop, refused) => {
        renewals.push(refused);
        return "token-1";
      },
      has: async () => true,
      forget: async () => undefined,
    },
    originOf: (shop) => `${origin}/${shop}`,
    apiVersion: "2026-07",
    clock,
    onTrouble: async (_shop, trouble) => {
      troubles.push(trouble);
    },
  });
});
afterEach(async () => {
  shopify.closeAllConnections();
  await new Promise((done) => shopify.close(done));
});

const call = () => graphql.call(SHOP, resolve, { id: "gid://1" });
const mustFail = async (code: string) => await expect(call()).rejects.toMatchObject({ name: "StoreError", code });

describe("a call of a shop's API", () => {
  test("goes to its version with the shop's token", async () => {
    expect(await call()).toEqual({ userErrors: [] });
    expect(asked).toMatchObject([
      {
        path: "/acme.myshopify.com/payments_apps/api/2026-07/graphql.json",
        headers: { "x-shopify-access-token": "token-0", "content-type": "application/json" },
        body: { query: resolve.text, variables: { id: "gid://1" } },
      },
    ]);
    answers.push({ status: 200, body: { data: { order: null } } });
    expect(await graphql.call(SHOP, readOrder, { id: "gid://2" })).toBeNull();
    expect(asked[1]?.path).toBe("/acme.myshopify.com/admin/api/2026-07/graphql.json");
  });

  test("that Shopify refuses is an answer, and not tried again", async () => {
    const userErrors = [{ field: ["id"], message: "Payment session has already been resolved." }];
    answers.push({ status: 200, body: { data: { paymentSessionResolve: { paymentSession: null, userErrors } } } });
    expect(await graphql.call(SHOP, resolvePayment, { id: "gid://1" })).toEqual({ paymentSession: null, userErrors });
    expect(asked).toHaveLength(1);
  });

  test.each([401, 403, 404])("whose token is refused with %s is made again with another one", async (status) => {
    answers.push({ status });
    expect(await call()).toEqual({ userErrors: [] });
    expect(renewals).toEqual(["token-0"]);
    expect(asked.map(({ headers }) => headers["x-shopify-access-token"])).toEqual(["token-0", "token-1"]);
  });

  test("whose new token is refused, too, needs the owner", async () => {
    answers.push({ status: 401 }, { status: 401 });
    await mustFail("reconnect");
    expect(asked).toHaveLength(2);
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).not.toContain("token-");
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
      "reconnect",
    ],
    [
      "a field that does not exist",
      { status: 200, body: { errors: [{ message: "x", extensions: { code: "undefinedField" } }] } },
      "unavailable",
    ],
  ] as [string, Answer, string][])("that is answered with %s ends as it must", async (_what, answer, code) => {
    answers.push(answer);
    await mustFail(code);
    expect(asked).toHaveLength(1);
  });

  test("that was lost may have happened; a lost question changed nothing", async () => {
    answers.push("reset");
    await mustFail("unknown");
    answers.push("reset");
    await expect(graphql.call(SHOP, readOrder, { id: "1" })).rejects.toMatchObject({ code: "unavailable" });
  });

  test("that is throttled waits as long as the bucket needs", async () => {
    const cost = {
      requestedQueryCost: 110,
      throttleStatus: { maximumAvailable: 2_000, currentlyAvailable: 10, restoreRate: 100 },
    };
    answers.push({
      status: 200,
      body: { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }], extensions: { cost } },
    });
    const calling = call();
    await arrived(1);
    await clock.advance(999);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(await calling).toEqual({ userErrors: [] });
    expect(asked).toHaveLength(2);
  });

  test("that has to wait for long fails, and so does every other of the shop until then, without asking", async () => {
    answers.push({ status: 429, headers: { "Retry-After": "30" } });
    await mustFail("unavailable");
    await mustFail("unavailable");
    expect(asked).toHaveLength(1);
    await clock.advance(30_000);
    expect(await call()).toEqual({ userErrors: [] });
  });

  test("is not made to a shop that does not answer anybody, for a while that grows to a minute", async () => {
    const outcomes: number[] = [];
    for (let second = 0; second < 300; second += 1) {
      answers = ["reset"];
      const before = asked.length;
      await call().catch(() => undefined);
      if (asked.length > before) outcomes.push(second);
      await clock.advance(1_000);
    }
    expect(outcomes).toEqual([0, 1, 2, 7, 17, 37, 77, 137, 197, 257]);
    answers = [];
    await clock.advance(60_000);
    expect(await call()).toEqual({ userErrors: [] });
  });
});

async function arrived(count: number): Promise<void> {
  while (asked.length < count) await new Promise((done) => setTimeout(done, 5));
  await new Promise((done) => setTimeout(done, 30));
}
