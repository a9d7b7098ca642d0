import { signWebhook } from "@tillkit/client/webhooks";
import { runDue, StoreError } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import {
  loggedSecrets,
  type MerchantFixture,
  openCircuitBreaker,
  openMerchant,
  WEBHOOK_SECRET,
} from "./fixtures/merchant.ts";
import { createOperator, logInOperator, OPERATOR_TOKEN, type Operator, textOf } from "./fixtures/operator.ts";
import { shopOrder } from "./fixtures/small-shop.ts";

const MINUTE = 60_000;

let merchant: MerchantFixture;
let operator: Operator;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
  operator = await logInOperator(merchant);
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

const readPage = async (path: string) => await textOf(await operator.open(`/operators${path}`));

/** The shopper pays a new order and returns. Returns the payment's ID. */
async function pay(orderId: string): Promise<string> {
  merchant.shop.order = { ...shopOrder, ref: { storeId: "boutique", orderId } };
  const { paymentId, returnPath } = await merchant.startPayment();
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
  return paymentId;
}

async function deliver(data: object, event = "PAYMENT_SUCCEEDED"): Promise<void> {
  const body = Buffer.from(JSON.stringify({ id: JSON.stringify(data), event, data }));
  const headers = { "X-Service-Signature": signWebhook(body, WEBHOOK_SECRET) };
  expect((await merchant.get("/hooks/service/boutique-test", { method: "POST", body, headers })).status).toBe(200);
}

// The service is read over the network, which the clock of the test does not move.
async function deliveriesProcessed(): Promise<void> {
  await waitFor(async () => expect((await merchant.ledger.countDeliveries()).waiting).toBe(0));
}

/** Delivers the event of a dispute about the newest session's card payment. */
async function deliverDispute(id: string, change: object = {}): Promise<void> {
  const at = new Date(merchant.clock.now()).toISOString();
  const data = {
    dispute_id: id,
    checkout_session_id: merchant.service.newest().id,
    amount: 25_000,
    currency_code: "XOF",
    reason: "product_not_received",
    status: "pending",
    outcome: null,
    evidence_due_by: new Date(merchant.clock.now() + 10 * 24 * 60 * MINUTE).toISOString(),
    created_at: at,
    updated_at: at,
    ...change,
  };
  await deliver(data, "DISPUTE_CREATED");
  await runDue(merchant.checkout.engine);
  await deliveriesProcessed();
}

describe("disputes", () => {
  test("open disputes are counted on the overview, which then no longer says that nothing needs attention", async () => {
    await pay("1042");
    expect(await readPage("")).toContain("Nothing needs your attention.");
    await deliverDispute("d1");
    const page = await readPage("");
    expect(page).not.toContain("Nothing needs your attention.");
    expect(page).toContain("1 open dispute");
    const html = await (await operator.open("/operators")).text();
    expect(html).toMatch(/<a href="\/operators\/test\/disputes">1 open dispute<\/a>/);
  });

  test("the overview counts what its list holds, and names the deadline of the dispute that must be answered first", async () => {
    const waiting = async () => /Needs your attention (\d+)/.exec(await readPage(""))?.[1];
    await pay("1042");
    expect(await waiting()).toBe("0");
    await deliverDispute("d1");
    expect(await readPage("")).toMatch(/1 open dispute Evidence by 15 Jan 2026, \d\d:\d\d UTC The service holds/);
    expect(await waiting()).toBe("1");
    await deliverDispute("d1", { status: "closed" });
    expect(await readPage("")).toContain("the service did not report the outcome");
    expect(await waiting()).toBe("1");
  });

  test("an open dispute shows what to send by when, and after its deadline shows that the time has ended", async () => {
    await pay("1042");
    await deliverDispute("d1");
    operator.cookies.set("tillkit_zone", "Africa%2FLagos");
    expect(await readPage("/disputes")).toMatch(
      /Send evidence in the service’s dashboard by 15 Jan 2026, 10:\d\d .*What to send: the proof of delivery with address/,
    );
    await merchant.clock.advance(11 * 24 * 60 * MINUTE);
    operator = await logInOperator(merchant);
    const late = await readPage("/disputes");
    expect(late).toContain("The time for evidence ended on 15 Jan 2026");
    expect(late).toContain("Do not refund this payment meanwhile");
    expect(late).not.toContain("What to send");
  });

  test("disputes are listed with amount, deadline, status and order, open disputes first, and link to the payment", async () => {
    const paymentId = await pay("1042");
    await deliverDispute("d1", { status: "closed", outcome: "won" });
    await deliverDispute("d2");
    const page = await readPage("/disputes");
    const row = / 1042 25 000 F CFA Open Evidence by \d+ \w+ 20\d\d, \d\d:\d\d UTC/;
    expect(page).toMatch(row);
    expect(page.indexOf("d2")).toBeLessThan(page.indexOf("d1"));
    expect(page).toContain("won the dispute");
    const html = await (await operator.open("/operators/disputes")).text();
    expect(html).toContain(`href="/operators/test/payments/${paymentId}"`);
    const frenchOperator = createOperator(merchant);
    frenchOperator.cookies.set("tillkit_operator", operator.cookies.get("tillkit_operator") ?? "");
    frenchOperator.cookies.set("tillkit_language", "fr");
    const french = await textOf(await frenchOperator.open("/operators/disputes"));
    expect(french).toMatch(/Contestations .* Justificatifs avant .* 1042 25 000 F CFA Ouverte Justificatifs avant \d+/);
  });

  test("the payment's page shows its dispute, that the amount is held, and whether the deadline has passed", async () => {
    const paymentId = await pay("1042");
    await deliverDispute("d1");
    const path = `/payments/${paymentId}`;
    const page = await readPage(path);
    expect(page).toContain("the service holds this amount until the dispute is decided");
    expect(page).toMatch(/Evidence by \d+ \w+ 20\d\d/);
    await merchant.clock.advance(11 * 24 * 60 * MINUTE);
    operator = await logInOperator(merchant);
    expect(await readPage(path)).toMatch(/The time for evidence ended \d+ \w+ 20\d\d/);
    expect((await merchant.ledger.find({ id: paymentId }))?.state).toBe("recorded");
  });

  test("the list of disputes continues page by page", async () => {
    await pay("1042");
    for (let index = 0; index < 51; index += 1) await deliverDispute(`dispute-${index}`);
    const html = await (await operator.open("/operators/disputes")).text();
    const older = /href="(\/operators\/test\/disputes\?after=[^"]+)"/.exec(html)?.[1] ?? "";
    expect(await textOf(await operator.open(older))).toContain("dispute-0 ");
    expect((await operator.open("/operators/disputes?after=nonsense")).status).toBe(400);
  });
});

describe("the overview", () => {
  test("the overview reports that nothing needs attention, and the list counts payments by state", async () => {
    await pay("1");
    merchant.shop.order = { ...shopOrder, ref: { storeId: "boutique", orderId: "2" } };
    await merchant.startPayment();
    const page = await readPage("");
    expect(page).toContain("Nothing needs your attention.");
    expect(await readPage("/payments")).toContain(" Waiting for payment 1 ");
    expect(await readPage("/payments")).toContain(" Paid 1 ");
  });

  test("the overview shows a payment that its shop has not recorded for ten minutes, with the reason and what to do", async () => {
    merchant.shop.adapter.markPaid = () => Promise.reject(new StoreError("unavailable", "The shop is down."));
    await pay("1042");
    expect(await readPage("")).toContain("Nothing needs your attention.");
    await merchant.clock.advance(11 * MINUTE);
    const page = await readPage("");
    expect(page).toContain("Order 1042");
    expect(page).toContain("The shop could not be reached. The update is tried again.");
    expect(page).toContain("The money arrived. Tillkit keeps trying to update the shop: check that the shop answers.");
  });

  test("the overview shows a job that has failed for ten minutes, also when the shop does not return the order", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    merchant.shop.isDown = true;
    await merchant.get(returnPath);
    merchant.checkout.startTimer();
    for (let passed = 0; passed < 15 * MINUTE; passed += 10_000) {
      await merchant.clock.advance(10_000);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect(await readPage("")).toContain("unavailable: The shop is down.");
    expect(await readPage("")).toContain("Order 1042");
    const html = await (await operator.open("/operators")).text();
    expect(html).toContain(`href="/operators/test/payments/${paymentId}"`);
  });

  test("the overview names a shop and a service that do not answer, in both languages", async () => {
    for (const target of ["store:boutique", "credential:key_1"]) openCircuitBreaker(merchant, target);
    const page = await readPage("");
    expect(page).toContain("The shop “boutique” does not answer.");
    expect(page).toContain("The payment service does not answer (key key_1).");
    operator.cookies.set("tillkit_language", "fr");
    expect(await readPage("")).toContain("La boutique « boutique » ne répond pas.");
  });
});

describe("webhooks", () => {
  test("webhooks are listed by outcome, each with the order of its payment", async () => {
    await pay("1");
    const { id } = merchant.service.newest();
    await deliver({ checkout_session_id: "session-of-somebody-else" });
    await deliver({ checkout_session_id: id });
    expect(await readPage("/deliveries")).toContain("Not processed yet 2");
    merchant.checkout.startTimer();
    await merchant.clock.advance(2_000);
    await deliveriesProcessed();
    const all = await readPage("/deliveries");
    expect(all).toContain("Processed 1");
    expect(all).toContain("Unrelated 1");
    expect(await readPage("/deliveries?outcome=processed")).toContain(
      " Payment succeeded PAYMENT_SUCCEEDED Processed 1 boutique-test",
    );
    expect(await readPage("/deliveries?outcome=unrelated")).not.toContain(" PAYMENT_SUCCEEDED Processed");
  });
});

describe("the search", () => {
  test("the search opens a payment by the number of its order, payment, session or transaction", async () => {
    const paymentId = await pay("1042");
    const payment = await merchant.ledger.find({ id: paymentId });
    if (!payment) throw new Error("There is no payment.");
    const transaction = { id: "txn_1", code: null, paymentId, amount: payment.amountDue, isRead: true, at: 0 };
    await merchant.ledger.commit({ transactions: [{ ...transaction, evidence: "identity" }], timeline: [] });
    for (const searched of ["1042", ` ${paymentId} `, payment.session?.id ?? "", "txn_1"]) {
      const answer = await operator.open(`/operators/find?q=${encodeURIComponent(searched)}`);
      expect(answer.headers.get("location"), searched).toBe(`/operators/test/payments/${paymentId}`);
    }
  });

  test("the search opens a payment by the short IDs that the service's pages and customers write", async () => {
    const paymentId = await pay("1042");
    const payment = await merchant.ledger.find({ id: paymentId });
    const code = /cs_\w+$/.exec(payment?.session?.url ?? "")?.[0] ?? "";
    expect(code).not.toBe("");
    const sessionId = payment?.session?.id;
    merchant.service.transactions.push({ transaction_id: "txn_8QW3ER5TYU7KPA", checkout_session_id: sessionId });
    for (const searched of [code, payment?.session?.url ?? "", "txn_8QW3ER5TYU7KPA"]) {
      const answer = await operator.open(`/operators/find?q=${encodeURIComponent(searched)}`);
      expect(answer.headers.get("location"), searched).toBe(`/operators/test/payments/${paymentId}`);
    }
    for (const unknown of ["cs_unknown", "txn_unknown", "https://pay.service.example/cs_unknown"]) {
      expect((await operator.open(`/operators/find?q=${encodeURIComponent(unknown)}`)).status, unknown).toBe(404);
    }
  });

  test("the search lists all payments of an order, and reports when there is no payment", async () => {
    await merchant.startPayment();
    // The first session ends in five minutes, so a second session replaces it.
    await merchant.clock.advance(55 * MINUTE);
    await merchant.startPayment();
    const found = await operator.open(`/operators/find?q=${shopOrder.ref.orderId}`);
    expect(found.status).toBe(200);
    const page = await textOf(found);
    expect(page).toContain("Replaced");
    expect(page).toContain("Waiting for payment");
    const nothing = await operator.open("/operators/find?q=4711");
    expect(nothing.status).toBe(404);
    expect(await textOf(nothing)).toContain("No payment has this number.");
  });
});
