import { createJsonLog } from "@tillkit/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LINK_KEY, type MerchantFixture, openMerchant, WEBHOOK_SECRET } from "./fixtures/merchant.ts";
import { shopOrder } from "./fixtures/small-shop.ts";

let merchant: MerchantFixture;
let written: string[];
beforeEach(async () => {
  written = [];
  const log = createJsonLog({ level: "info", write: (line) => written.push(line) });
  merchant = await openMerchant({ options: { log } });
});
afterEach(() => merchant.close());

const linesOf = (message: string) => written.map((line) => JSON.parse(line)).filter((line) => line.message === message);

describe("the id of a request", () => {
  test("a safe request id of the proxy is used in the response and in every log line", async () => {
    const { returnPath, paymentId } = await merchant.startPayment();
    merchant.service.failure = { status: 500, code: "internal_error" };
    const answer = await merchant.get(returnPath, { headers: { "X-Request-Id": "proxy-4711-abc" } });
    expect(answer.headers.get("x-request-id")).toBe("proxy-4711-abc");
    expect(linesOf("service.call_failed")[0]).toMatchObject({ request: "proxy-4711-abc", paymentId, status: 500 });
    await expect.poll(() => linesOf("http.answered")).toHaveLength(1);
    expect(linesOf("http.answered")[0]).toMatchObject({ request: "proxy-4711-abc", route: "return", method: "GET" });
  });

  test.each(["", "a", "x".repeat(200), "two words here", "+2250700000001", "awa@example.test", "1234567890123456"])(
    "a request gets a new id when the proxy's id is %j",
    async (given) => {
      const answer = await merchant.get("/healthz", { headers: { "X-Request-Id": given } });
      const id = answer.headers.get("x-request-id");
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test("each request and each webhook has its own id", async () => {
    const [health, hook] = await Promise.all([merchant.get("/healthz"), merchant.get("/hooks/service/boutique-test")]);
    const ids = [health, hook].map((answer) => answer.headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(2);
    expect(hook.status).toBe(405);
  });
});

describe("a log line about a failure", () => {
  test("the log line of a failed call has the service's request id", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.failure = { status: 503, code: "service_unavailable" };
    await merchant.get(returnPath);
    expect(linesOf("service.call_failed")[0]).toMatchObject({
      operation: "CheckoutSessionsController_findOne",
      code: "service_unavailable",
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("the log lines of jobs name the timer's round", async () => {
    const { paymentId } = await merchant.startPayment();
    merchant.service.failure = { status: 503, code: "service_unavailable" };
    merchant.checkout.startTimer();
    await merchant.clock.advance(121_000);
    const round = expect.stringMatching(/^[\w]{8}-\d+$/);
    const ofJob = expect.objectContaining({ paymentId, round });
    await expect.poll(() => linesOf("service.call_failed")).toContainEqual(ofJob);
  });
});

test("the full log of a purchase contains no key, page address, name, e-mail address or phone number", async () => {
  merchant.shop.order = { ...shopOrder, title: "Order of awa@example.test, +225 07 00 00 00 01" };
  const { returnPath, cancelPath } = await merchant.startPayment();
  merchant.service.failure = { status: 500, code: "internal_error" };
  await merchant.get(returnPath);
  merchant.service.failure = null;
  merchant.service.newest().status = "completed";
  merchant.shop.isDown = true;
  await merchant.clock.advance(4_000);
  await merchant.get(cancelPath);
  await merchant.get(returnPath);
  await merchant.get(`${returnPath}x`);
  await expect.poll(() => linesOf("http.answered").length).toBe(4);
  const log = written.join("");
  const token = returnPath.split(/[/?]/)[2] ?? "";
  for (const secret of [LINK_KEY, WEBHOOK_SECRET, token, "svc_sk_", "awa@", "Awa Diop", "07 00 00", "svc.example"]) {
    expect(log).not.toContain(secret);
  }
});
