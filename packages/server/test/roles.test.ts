import { afterEach, expect, test } from "vitest";
import { type FixtureOptions, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";

const METRICS_TOKEN = "the token of the scraper, thirty-two characters";

let merchant: MerchantFixture;
afterEach(() => merchant.close());

async function openInRole(role: "receiver" | "worker", options: Partial<FixtureOptions> = {}): Promise<void> {
  merchant = await openMerchant({
    ...options,
    options: {
      role,
      metrics: { token: METRICS_TOKEN },
      operators: { tokens: ["an operator's token, 32 characters or more"] },
    },
  });
}

/** A job that is due and that any worker finishes. */
async function addDueJob(): Promise<void> {
  const job = { kind: "note", storeId: "boutique", paymentId: null, payload: "", dueAt: merchant.clock.now() } as const;
  await merchant.ledger.commit({ jobs: [job], timeline: [] });
}

test("a receiver stores webhooks and starts checkouts, and never runs a job", async () => {
  let tasks = 0;
  const run = async () => {
    tasks += 1;
  };
  merchant = await openMerchant({
    options: { role: "receiver", scheduledTasks: [{ name: "sweep", firstDelayMs: 0, intervalMs: 1_000, run }] },
  });
  await merchant.startPayment();
  await addDueJob();
  const claims: unknown[] = [];
  const claim = merchant.ledger.claim.bind(merchant.ledger);
  merchant.ledger.claim = (request) => {
    claims.push(request);
    return claim(request);
  };
  merchant.checkout.startTimer();
  await merchant.clock.advance(61_000);
  expect(claims).toEqual([]);
  expect(tasks).toBe(0);
  expect(await (await merchant.get("/readyz")).json()).toMatchObject({ ready: true, timer: "off", lagMs: 61_000 });
  expect((await merchant.get("/hooks/service/boutique-test", { method: "POST", body: "{}" })).status).toBe(401);
});

test("a worker runs jobs, and answers health and metrics only", async () => {
  await openInRole("worker");
  merchant.checkout.startTimer();
  expect((await merchant.get("/livez")).status).toBe(200);
  expect((await merchant.get("/healthz")).status).toBe(200);
  expect(await (await merchant.get("/readyz")).json()).toMatchObject({ ready: true, timer: "alive" });
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  expect((await merchant.get("/metrics", { headers })).status).toBe(200);
  for (const path of [
    "/pay/token",
    "/return/token",
    "/operators",
    "/status/token",
    "/",
    "/bridge/v1/pay",
    "/healthz/more",
  ]) {
    const answer = await merchant.get(path);
    expect([path, answer.status]).toEqual([path, 503]);
    expect(await answer.text()).toContain("send requests to a process with the role receiver");
  }
});

test("a webhook that reaches a worker gets a 503, so that the service sends it again", async () => {
  await openInRole("worker");
  const answer = await merchant.get("/hooks/service/boutique-test", { method: "POST", body: "{}" });
  expect(answer.status).toBe(503);
});

test("a worker under a path answers health with and without the path", async () => {
  await openInRole("worker", {
    basePath: "/pay-desk",
    host: (checkout, app) => checkout.listener(app.use("/pay-desk", checkout.router).use(checkout.router)),
  });
  expect((await merchant.get("/healthz")).status).toBe(200);
  expect((await fetch(new URL("/readyz", merchant.url))).status).toBe(200);
  expect((await merchant.get("/pay/token")).status).toBe(503);
});

test("a worker behind a host with fetch-standard requests refuses shoppers too", async () => {
  await openInRole("worker");
  const { checkout, url } = merchant;
  expect((await checkout.fetch(new Request(`${url}/healthz`))).status).toBe(200);
  expect((await checkout.fetch(new Request(`${url}/pay/token`))).status).toBe(503);
});
