import { signWebhook } from "@tillkit/client/webhooks";
import { money, type Refund, runDue } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { receiptNumber } from "../src/pages/receipt-number.ts";
import { loggedSecrets, type MerchantFixture, openMerchant, WEBHOOK_SECRET } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN, type Operator, textOf } from "./fixtures/operator.ts";
import { shopOrder } from "./fixtures/small-shop.ts";

let merchant: MerchantFixture;
let operator: Operator;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
  operator = await logInOperator(merchant);
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

const readPage = async (path: string) => await textOf(await operator.open(`/operators${path}`));
const CUSTOMER = "3d9d2c11-6b1e-4f6d-8f3a-7a1b2c3d4e5f";

/** Pays an order and delivers the event of its success. */
async function pay(orderId: string, change: object = {}, total = money(25_000, "XOF")): Promise<string> {
  merchant.shop.order = { ...shopOrder, ref: { storeId: "boutique", orderId }, number: `N-${orderId}`, total };
  const { paymentId, returnPath } = await merchant.startPayment();
  const session = merchant.service.newest();
  session.status = "completed";
  await merchant.get(returnPath);
  const data = {
    transaction_id: `b7e6d1c0-0c0f-4e55-a1f2-${orderId.padStart(12, "0")}`,
    public_id: `txn_8QW3ER5TYU${orderId}`,
    checkout_session_id: session.id,
    customer_id: CUSTOMER,
    status: "completed",
    provider_code: "WAVE",
    gross_amount: 25_000,
    fee_amount: 625,
    net_amount: 24_375,
    customer_email: "awa@example.test",
    customer_phone: 2250700000001,
    metadata: { "awa@example.test": "Awa Diop" },
    description: "Order of Awa Diop",
    ...change,
  };
  const timestamp = new Date(merchant.clock.now() - 1_500).toISOString();
  const body = Buffer.from(JSON.stringify({ id: `event ${orderId}`, event: "PAYMENT_SUCCEEDED", timestamp, data }));
  const headers = { "X-Service-Signature": signWebhook(body, WEBHOOK_SECRET) };
  await merchant.get("/hooks/service/boutique-test", { method: "POST", body, headers });
  await runDue(merchant.checkout.engine);
  return paymentId;
}

describe("the search", () => {
  test("a payment is found by everything that a customer or the service calls it, with or without prefix", async () => {
    const paymentId = await pay("1042");
    const payment = await merchant.ledger.find({ id: paymentId });
    const code = /cs_\w+$/.exec(payment?.session?.url ?? "")?.[0] ?? "";
    const searched = [
      "1042",
      "N-1042",
      "#1042",
      paymentId,
      receiptNumber(paymentId),
      receiptNumber(paymentId).replaceAll("\u00a0", ""),
      payment?.reference ?? "",
      payment?.session?.id ?? "",
      payment?.session?.url ?? "",
      code,
      code.slice(3),
      "txn_8QW3ER5TYU1042",
      "8QW3ER5TYU1042",
      CUSTOMER,
    ];
    for (const text of searched) {
      const answer = await operator.open(`/operators/find?q=${encodeURIComponent(text)}`);
      expect(answer.headers.get("location"), text).toBe(`/operators/test/payments/${paymentId}`);
    }
  });

  test("a search for an amount, which finds no number, lists the payments of this amount in every currency", async () => {
    await pay("1");
    await pay("2", { provider_code: "CARD" }, money(500, "XOF"));
    await merchant.clock.advance(60_000);
    await pay("3", { provider_code: "CARD" }, money(50_000, "EUR"));
    const answer = await operator.open("/operators/test/find?q=500");
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain("No order and no receipt has this number. These payments have this amount:");
    expect([...page.matchAll(/class="open"[^>]*>(N-\d)</g)].map(([, number]) => number)).toEqual(["N-3", "N-2"]);
    expect((await operator.open("/operators/live/find?q=500")).status).toBe(404);
    const link = /href="([^"]*\/payments\?least=[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const list = await textOf(await operator.open(link));
    expect([list.includes(" N-1 "), list.includes(" N-2 "), list.includes(" N-3 ")]).toEqual([false, false, true]);
    expect(list).toContain("Amount €500.00");
  });

  test("a search for an amount that no payment has tells what to ask the caller", async () => {
    await pay("1");
    const answer = await operator.open("/operators/test/find?q=19+500");
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain(
      "ask for the number of the order or the receipt, or for the amount and the day",
    );
  });

  test("a search for a name, which nobody keeps, leads to the payments with their filters open", async () => {
    const page = await (await operator.open("/operators/test/find?q=Awa")).text();
    const link = /href="([^"]*\/payments\?filter=[^"]*)"/.exec(page)?.[1] ?? "";
    expect(await (await operator.open(link)).text()).toContain('<details class="card filters" open>');
  });

  test("all payments of one customer of the service are listed", async () => {
    await pay("1");
    await pay("2");
    const page = await readPage(`/find?q=${CUSTOMER}`);
    expect(page).toContain(" N-1 ");
    expect(page).toContain(" N-2 ");
  });
});

describe("the filters of the list", () => {
  test("payments are filtered by shop, method, state, day and amount, and the address holds the filters", async () => {
    await pay("1");
    await pay("2", { provider_code: "CARD" }, money(500, "XOF"));
    const isListed = async (query: string) => {
      const page = await readPage(`/payments?${query}`);
      return [page.includes(" N-1 "), page.includes(" N-2 ")];
    };
    const today = new Date(merchant.clock.now()).toISOString().slice(0, 10);
    expect(await isListed("")).toEqual([true, true]);
    expect(await isListed("method=CARD")).toEqual([false, true]);
    expect(await isListed("store=boutique&state=recorded")).toEqual([true, true]);
    expect(await isListed("store=elsewhere")).toEqual([false, false]);
    expect(await isListed("least=1+000&currency=XOF")).toEqual([true, false]);
    expect(await isListed("most=1000&currency=XOF&method=CARD")).toEqual([false, true]);
    expect(await isListed(`from=${today}&until=${today}`)).toEqual([true, true]);
    expect(await isListed("until=2020-01-01")).toEqual([false, false]);
    const html = await (await operator.open("/operators/payments?method=CARD&store=boutique")).text();
    expect(html).toContain('<option value="CARD" selected>');
    expect(html).toContain('href="/operators/test/payments?state=review&amp;store=boutique&amp;method=CARD"');
    // Each filter can be removed alone.
    expect(html).toMatch(
      /href="\/operators\/test\/payments\?store=boutique" aria-label="Remove the filter Paid by Card"/,
    );
    expect(await readPage("/payments?least=26500&currency=XOF")).toContain("Amount from 26 500 F CFA");
  });

  test("an amount that cannot be read is reported and does not filter", async () => {
    await pay("1");
    const page = await readPage("/payments?least=5.000,5&currency=XOF");
    expect(page).toContain("Write amounts as digits");
    expect(page).toContain(" N-1 ");
  });

  test("the day of a filter begins at midnight of the operator's time zone", async () => {
    await pay("1");
    const later = await operator.open("/operators?zone=Pacific%2FKiritimati");
    expect(later.status).toBe(303);
    const page = await readPage("/payments");
    expect(page).toContain("GMT+14");
    const local = new Date(merchant.clock.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    expect(await readPage(`/payments?from=${local}&until=${local}`)).toContain(" N-1 ");
    const answer = await operator.open("/operators?zone=Mars%2FOlympus");
    expect(answer.status).toBe(200);
  });
});

describe("a payment's page", () => {
  test("the header shows amount, method, fee and net amount, and links to the order in the shop", async () => {
    const paymentId = await pay("1042");
    merchant.shop.adapter.adminUrl = ({ orderId }) => `https://boutique.example/admin/orders/${orderId}`;
    const page = await readPage(`/payments/${paymentId}`);
    expect(page).toMatch(
      /Order N-1042 25 000 F CFA Paid Test mode \d+ \w+ 20\d\d, \d\d:\d\d UTC · receipt (?:\d\d ){5}Open the order in the shop 25 000 F CFA was paid and the order shows it. Refund … Shop boutique Paid by Wave Fee 625 F CFA Net 24 375 F CFA/,
    );
    const html = await (await operator.open(`/operators/payments/${paymentId}`)).text();
    expect(html).toContain('href="https://boutique.example/admin/orders/1042"');
  });

  test("an address of a shop that is no web address is not linked", async () => {
    const paymentId = await pay("1042");
    merchant.shop.adapter.adminUrl = () => "javascript:alert(1)";
    expect(await (await operator.open(`/operators/payments/${paymentId}`)).text()).not.toContain("javascript:");
  });

  test("the net amount of a refunded payment is what the merchant keeps, also when that is negative", async () => {
    const paymentId = await pay("1042");
    await merchant.ledger.commit({ refunds: [refundOf(paymentId, 25_000)], timeline: [] });
    expect(await readPage(`/payments/${paymentId}`)).toContain("Net −625 F CFA");
  });

  test("the timeline shows a webhook with its name, its time in seconds, its delay and its tries", async () => {
    const paymentId = await pay("1042");
    const page = await readPage(`/payments/${paymentId}`);
    expect(page).toMatch(
      /\d\d:\d\d:\d\d UTC · Webhook Payment succeeded PAYMENT_SUCCEEDED arrived after 1.5 s, tried once Show its content/,
    );
  });

  test("the content of a webhook is shown without the shopper's data", async () => {
    const paymentId = await pay("1042");
    const html = await (await operator.open(`/operators/payments/${paymentId}`)).text();
    const path = /href="(\/operators\/test\/deliveries\/boutique-test\/\w+)"/.exec(html)?.[1] ?? "";
    const page = await textOf(await operator.open(path));
    expect(page).toContain('"provider_code": "WAVE"');
    expect(page).toContain('"gross_amount": 25000');
    expect(page).toContain(`"customer_id": "${CUSTOMER}"`);
    expect(page).not.toContain("awa@example.test");
    expect(page).not.toContain("Awa Diop");
    expect(page).not.toContain("2250700000001");
    expect((await operator.open("/operators/deliveries/boutique-test/unknown")).status).toBe(404);
  });

  test("a total that the owner changed is the shop's act and not the shopper's", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    merchant.shop.order = { ...shopOrder, total: money(27_500, "XOF") };
    merchant.service.newest().status = "completed";
    await merchant.get(returnPath);
    expect(await readPage(`/payments/${paymentId}`)).toContain("· Shop The order was changed after payment began");
  });

  test("a finished payment shows no pending work, and an open payment shows in words what happens next", async () => {
    const finished = await pay("1042");
    expect(await readPage(`/payments/${finished}`)).not.toContain("What happens next");
    merchant.shop.order = { ...shopOrder, ref: { storeId: "boutique", orderId: "2" } };
    const { paymentId } = await merchant.startPayment();
    expect(await readPage(`/payments/${paymentId}`)).toMatch(
      /What happens next Verify the payment, update the shop, at /,
    );
  });
});

describe("the figures of the overview", () => {
  test("paid amounts, counts and the success rate of the period are shown, with a table behind each picture", async () => {
    await pay("1");
    await pay("2", { provider_code: "CARD" });
    const page = await readPage("?period=24h");
    expect(page).toContain("Received 50 000 F CFA");
    expect(page).toContain("Payments paid 2 of 2 started");
    expect(page).toContain("Success rate 100%");
    const html = await (await operator.open("/operators?period=24h")).text();
    expect(html.match(/<svg class="bars"[^>]*role="img" aria-label="[^"]+"/g)).toHaveLength(2);
    expect(html.match(/<details><summary>As a table<\/summary><table>/g)).toHaveLength(2);
    expect(html).not.toMatch(/style="/);
    expect(await readPage("/technical")).toContain("Webhook delay usually 1.5 s 1 in 20 takes longer than 1.5 s");
  });

  test("a period is compared with the period before it, up to the same time, in the operator's time zone", async () => {
    await pay("1");
    expect(await readPage("?period=24h")).toContain("Received 25 000 F CFA none in the period before");
    await merchant.clock.advance(24 * 60 * 60_000 + 60_000);
    operator = await logInOperator(merchant);
    await pay("2");
    await pay("3");
    expect(await readPage("?period=24h")).toContain("Received 50 000 F CFA +100% on the period before");
    expect(await readPage("?period=24h")).toContain("of 2 started, +100% on the period before");
    expect(await readPage("?period=7d")).toContain("Received 75 000 F CFA none in the period before");
    operator.cookies.set("tillkit_zone", "Asia%2FKathmandu");
    expect(await readPage("?period=7d")).toMatch(/5 Jan 25 000 F CFA 6 Jan 50 000 F CFA/);
  });

  test("each currency is compared with what was received in it in the period before", async () => {
    await pay("1");
    await pay("2", {}, money(1_000, "EUR"));
    await merchant.clock.advance(24 * 60 * 60_000 + 60_000);
    operator = await logInOperator(merchant);
    await pay("3");
    await pay("4", {}, money(500, "EUR"));
    const page = await readPage("?period=24h");
    expect(page).toContain("25 000 F CFA 0% on the period before");
    expect(page).toContain("€5.00 -50% on the period before");
  });

  test("the list of payments offers what waits for a person first, and tells the day of what is older than a day", async () => {
    const paymentId = await pay("1");
    const payment = await merchant.ledger.find({ id: paymentId });
    if (!payment) throw new Error("There is no payment.");
    const next = {
      ...payment,
      version: payment.version + 1,
      state: "review",
      finding: { code: "order_gone" },
    } as const;
    await merchant.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    const shownTimes = async () => {
      const html = await (await operator.open("/operators/payments")).text();
      return [...html.matchAll(/class="ago"[^>]*>([^<]*)/g)].map(([, text]) => text);
    };
    expect(await shownTimes()).toEqual(["just now"]);
    await merchant.clock.advance(25 * 60 * 60_000);
    operator = await logInOperator(merchant);
    await pay("2");
    expect(await readPage("/payments")).toContain("All Held 1 Paid 1");
    expect(await shownTimes()).toEqual(["just now", expect.stringMatching(/^\d+ \w+, \d\d:\d\d$/)]);
  });

  test("the list of payments shows how each payment was paid", async () => {
    await pay("1", { provider_code: "CARD" });
    expect(await readPage("/payments")).toMatch(/ N-1 25 000 F CFA Paid ▭ Card /);
  });

  test("the figures of one shop do not contain the payments of another shop", async () => {
    await pay("1");
    expect(await readPage("?store=boutique")).toContain("Received 25 000 F CFA");
    expect(await readPage("?store=elsewhere")).toContain("No payment began in this period.");
  });

  test("test payments and live payments are never added up", async () => {
    const paymentId = await pay("1");
    const payment = await merchant.ledger.find({ id: paymentId });
    if (!payment) throw new Error("There is no payment.");
    const session = payment.session && { ...payment.session, id: "live", url: "https://pay.example/cs_live" };
    const ref = { storeId: "boutique", orderId: "live" };
    const next = {
      ...payment,
      id: "live",
      ref,
      environment: "live",
      version: 1,
      session,
      amountDue: money(7_000, "XOF"),
      amountReceived: money(7_000, "XOF"),
    } as const;
    await merchant.ledger.commit({ payment: { next, expect: "new" }, timeline: [] });
    await merchant.ledger.commit({ refunds: [refundOf(paymentId, 4_000)], timeline: [] });
    expect(await readPage("/live")).toContain("Received 7 000 F CFA");
    expect(await readPage("/live")).toContain("Refunds none");
    expect(await readPage("/test")).toContain("Received 25 000 F CFA");
    expect(await readPage("/test")).toContain("Refunds 1");
  });
});

/** A completed refund that began when the payment did. */
function refundOf(paymentId: string, minor: number): Refund {
  return {
    key: `refund ${paymentId}`,
    paymentId,
    origin: "service",
    amount: money(minor, "XOF"),
    request: "",
    transactionId: "t",
    state: "completed",
    refundId: "r",
    requestedAt: merchant.clock.now(),
    readOnlySince: null,
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
  };
}
