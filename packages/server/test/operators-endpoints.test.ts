import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN, type Operator, textOf } from "./fixtures/operator.ts";

let merchant: MerchantFixture;
let operator: Operator;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
  operator = await logInOperator(merchant);
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

const readPage = async (language = "en") => {
  operator.cookies.set("tillkit_language", language);
  return await textOf(await operator.open("/operators/endpoints/boutique-test"));
};

function registerEndpoint(change: object = {}): void {
  const url = `${merchant.url}/hooks/service/boutique-test`;
  const endpoint = { webhook_id: "wh_1", url, is_active: true, authorized_events: CHECKOUT_EVENTS };
  merchant.service.webhooks.push({ ...endpoint, webhook_id: "wh_0", url: "https://elsewhere.example/" });
  merchant.service.webhooks.push({ ...endpoint, ...change });
}

const attempt = (change: object) => ({
  log_id: JSON.stringify(change),
  webhook_id: "wh_1",
  event_type: "PAYMENT_SUCCEEDED",
  attempt_number: 1,
  success: false,
  response_body: "Awa Diop, awa@example.test",
  request_duration_ms: 12,
  created_at: "2026-01-06T12:00:00.000Z",
  ...change,
});

describe("what the service reports about a webhook endpoint", () => {
  test("an endpoint that gets all events and every delivery is shown as in order", async () => {
    registerEndpoint();
    expect(await readPage()).toContain("The service has not sent anything to this endpoint yet.");
    merchant.service.deliveryLogs.set("wh_1", [attempt({ success: true, response_status: 200 })]);
    const page = await readPage();
    expect(page).toContain("The endpoint is active and gets all events of a checkout.");
    expect(page).toContain("The newest attempt was delivered.");
    expect(page).toMatch(/Delivered PAYMENT_SUCCEEDED attempt 1, answered 200, 12 ms 6 Jan 2026, 12:00:00 UTC/);
  });

  test("each failed attempt shows its time, its cause and what to do, and nothing of the shopper", async () => {
    registerEndpoint();
    merchant.service.deliveryLogs.set("wh_1", [
      attempt({ response_status: 401 }),
      attempt({ response_status: 503, attempt_number: 2 }),
      attempt({ error: "timeout" }),
      attempt({ success: true, response_status: 200 }),
    ]);
    const page = await readPage();
    expect(page).toContain("3 of the newest 4 attempts failed");
    expect(page).toMatch(/Failed PAYMENT_SUCCEEDED attempt 1, answered 401.*differs from the service’s/);
    expect(page).toMatch(/attempt 2, answered 503.*This server or its proxy failed/);
    expect(page).toMatch(/no answer within 4 seconds.*Check its DNS/);
    expect(page).not.toMatch(/Awa|example\.test/);
    expect(await readPage("fr")).toContain("3 échecs sur les 4 derniers envois");
  });

  test("events that the service does not send to the endpoint are named", async () => {
    registerEndpoint({ authorized_events: CHECKOUT_EVENTS.filter((event) => !event.startsWith("DISPUTE_")) });
    expect(await readPage()).toContain("Add them in its dashboard: DISPUTE_CREATED, DISPUTE_UPDATED, DISPUTE_CLOSED");
  });

  test("an endpoint that is switched off or missing at the service is reported", async () => {
    expect(await readPage()).toContain("The service has no webhook endpoint with this address.");
    registerEndpoint({ is_active: false });
    expect(await readPage()).toContain("The service has switched this endpoint off");
  });

  test("a service that answers errors leaves the page readable, and the failure is logged", async () => {
    merchant.service.failure = { status: 400, code: "bad_request" };
    expect(await readPage()).toContain("The service did not answer.");
    expect(merchant.lines.map(({ message }) => message)).toContain("operators.endpoint_not_read");
  });

  test("an endpoint that this server does not have leads back to the list", async () => {
    const answer = await operator.open("/operators/endpoints/unknown");
    expect(answer.headers.get("location")).toBe("/operators/live/endpoints?test=unknown");
  });
});

describe("the test of a webhook endpoint", () => {
  const runTest = async () => {
    const answer = await operator.submit("/operators/endpoints", "/endpoints/boutique-test/test");
    return await textOf(await operator.open(answer.headers.get("location") ?? ""));
  };

  test("the service itself sends the test event, which is found in the ledger", async () => {
    registerEndpoint();
    const page = await runTest();
    expect(page).toContain("The service sent a test event. It arrived, its signature was valid, and it was stored");
    expect(page).toContain("1 of the newest 500 webhooks");
    expect(merchant.service.deliveryLogs.get("wh_1")).toMatchObject([{ event_type: "test.webhook", success: true }]);
  });

  test("a webhook secret that differs from the service’s is named as the cause, with what to do", async () => {
    registerEndpoint();
    merchant.service.webhookSecret = "whsec_rotated_in_the_dashboard";
    const page = await runTest();
    expect(page).toContain("this server refused its signature");
    expect(page).toContain("tillkit webhooks rotate");
  });

  test.each([
    ["an endpoint that the service does not have", () => undefined, "The service has no webhook endpoint with this"],
    ["a service that does not answer", () => failService(), "The service did not answer"],
  ])("%s is named as the cause", async (_what, prepare, sentence) => {
    prepare();
    expect(await runTest()).toContain(sentence);
  });

  test("an address that the service cannot reach is named as the cause", async () => {
    await merchant.close();
    merchant = await openMerchant({
      options: { operators: { tokens: [OPERATOR_TOKEN] }, publicUrl: "http://127.0.0.1:9" },
    });
    operator = await logInOperator(merchant);
    registerEndpoint({ url: "http://127.0.0.1:9/hooks/service/boutique-test" });
    expect(await runTest()).toContain("The service could not reach the public address of this server.");
  });

  test("an address where another server answers is named as the cause", async () => {
    registerEndpoint();
    merchant.ledger.listDeliveries = async () => ({ rows: [], next: null });
    expect(await runTest()).toContain("but this ledger does not contain the event");
  });

  const failService = () => {
    merchant.service.failure = { status: 400, code: "bad_request" };
  };
});
