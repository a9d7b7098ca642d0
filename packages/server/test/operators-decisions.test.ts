import { money, type Payment } from "@tillkit/core";
import { explainUnknownPayment } from "@tillkit/core/back-office";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import {
  hiddenFields,
  logInOperator,
  OPERATOR_TOKEN,
  type Operator,
  openDispute,
  textOf,
} from "./fixtures/operator.ts";
import { shopOrder } from "./fixtures/small-shop.ts";

let merchant: MerchantFixture;
let operator: Operator;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
  operator = await logInOperator(merchant);
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

/** Raises the order's total while its payment page is open, and then pays on the page. Returns the ID of the payment, which is held. */
async function createHeldPayment(): Promise<string> {
  const { paymentId, returnPath } = await merchant.startPayment();
  merchant.shop.order = { ...shopOrder, total: money(27_500, "XOF") };
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
  return paymentId;
}

const pathOf = (paymentId: string) => `/operators/test/payments/${paymentId}`;
const readPayment = async (paymentId: string): Promise<Payment | null> => await merchant.ledger.find({ id: paymentId });

test("a decision about a payment that is not there is answered in the words of every other platform", async () => {
  const form = /name="form" value="([^"]+)"/.exec(await (await operator.open("/operators")).text())?.[1] ?? "";
  const answer = await operator.post(`${pathOf("gone")}/accept`, { form, by: "Adjoua" });
  expect(answer.status).toBe(404);
  expect(await textOf(answer)).toContain(explainUnknownPayment("en"));
});

describe("a payment that is held", () => {
  test("the overview shows a held payment with the reason and what to do", async () => {
    const paymentId = await createHeldPayment();
    const page = await textOf(await operator.open("/operators"));
    expect(page).toContain("The order was changed after payment began: 25 000 F CFA then, 27 500 F CFA now.");
    expect(page).toContain("Accept the difference to mark the order paid, or refund the payment.");
    const paymentPage = await textOf(await operator.open(pathOf(paymentId)));
    expect(paymentPage).toContain("The payment page was opened.");
    expect(paymentPage).toContain("Your decision");
  });

  test("an operator accepts exactly the shown difference by name, and the order is paid", async () => {
    const paymentId = await createHeldPayment();
    const form = await textOf(await operator.open(`${pathOf(paymentId)}/accept`));
    expect(form).toContain("You accept exactly this difference: The order was changed after payment began");
    const answer = await operator.submit(`${pathOf(paymentId)}/accept`, "/accept", { by: "Adjoua, bookkeeping" });
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?done=accepted`);
    expect(merchant.shop.writes).toEqual([`paid by ${paymentId}`]);
    expect((await readPayment(paymentId))?.waiver).toMatchObject({
      by: "Adjoua, bookkeeping",
      finding: { code: "total_changed" },
    });
    const page = await textOf(await operator.open(`${pathOf(paymentId)}?done=accepted`));
    expect(page).toContain("Accepted. The order is marked paid.");
    expect(page).toContain("Accepted by Adjoua, bookkeeping");
  });

  test("a difference that changed while the page was open is not accepted", async () => {
    const paymentId = await createHeldPayment();
    const answer = await operator.submit(`${pathOf(paymentId)}/accept`, "/accept", {
      by: "Adjoua",
      seen: "another view",
    });
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?problem=changed`);
    expect((await readPayment(paymentId))?.state).toBe("review");
  });

  test.each(["", "   ", "awa@example.test", "+225 07 00 00 00 01", "x".repeat(61)])(
    "a difference is not accepted under the name %j",
    async (by) => {
      const paymentId = await createHeldPayment();
      const answer = await operator.submit(`${pathOf(paymentId)}/accept`, "/accept", { by });
      expect(answer.headers.get("location")).toMatch(/problem=name_missing$/);
      expect((await readPayment(paymentId))?.state).toBe("review");
    },
  );

  test("a form of another site does not decide about a held payment", async () => {
    const paymentId = await createHeldPayment();
    const page = await (await operator.open(`${pathOf(paymentId)}/accept`)).text();
    const fields = { ...hiddenFields(page), by: "Adjoua", form: "guessed" };
    const answer = await operator.post(`${pathOf(paymentId)}/accept`, fields);
    expect(answer.headers.get("location")).toMatch(/problem=form_expired$/);
    expect((await readPayment(paymentId))?.state).toBe("review");
  });

  test("a held payment is refunded once, after a confirmation", async () => {
    const paymentId = await createHeldPayment();
    await addTransaction(paymentId);
    expect(await textOf(await operator.open(`${pathOf(paymentId)}/refund`))).toContain("Refund 25 000 F CFA?");
    const answer = await operator.submit(`${pathOf(paymentId)}/refund`, "/refund", { by: "Adjoua" });
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?done=refunded`);
    const refunds = await merchant.ledger.refunds(paymentId);
    expect(refunds.map(({ origin, amount }) => ({ origin, amount }))).toEqual([
      { origin: "tillkit", amount: money(25_000, "XOF") },
    ]);
    const page = await textOf(await operator.open(pathOf(paymentId)));
    expect(page).toContain("Refunds 25 000 F CFA Refunded");
    expect(page).toContain("Decided by: Adjoua.");
  });

  test("a held payment whose refund has no result offers no second one", async () => {
    const paymentId = await createHeldPayment();
    await addTransaction(paymentId);
    const sent = { key: "rule-1", paymentId, origin: "tillkit", amount: money(500, "XOF"), state: "unknown" } as const;
    const ids = { request: "{}", transactionId: "txn_1", refundId: null, mark: null, unmarkedKey: null, otherKeys: [] };
    const times = { requestedAt: merchant.clock.now(), readOnlySince: null, markReadAt: null };
    await merchant.ledger.commit({ refunds: [{ ...sent, ...ids, ...times }], timeline: [] });
    const page = await textOf(await operator.open(`${pathOf(paymentId)}/refund`));
    expect(page).toContain("A refund of this payment has no result yet: wait for it");
    expect(page).not.toContain("Refund 25 000 F CFA?");
  });

  test("a held payment is not refunded when another amount is left than its page showed", async () => {
    const paymentId = await createHeldPayment();
    await addTransaction(paymentId);
    const path = `${pathOf(paymentId)}/refund`;
    const page = await operator.open(path);
    const fields = { ...hiddenFields(await page.text()), by: "Adjoua" };
    const [transaction] = await merchant.ledger.transactions(paymentId);
    if (!transaction) throw new Error("There is no transaction.");
    const transactions = [{ ...transaction, amount: money(20_000, "XOF") }];
    await merchant.ledger.commit({ transactions, timeline: [] });
    const answer = await operator.post(path, fields);
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?problem=changed`);
    expect(await merchant.ledger.refunds(paymentId)).toEqual([]);
  });

  test("a partial refund whose payment is held meanwhile refunds nothing", async () => {
    const paymentId = await createHeldPayment();
    await addTransaction(paymentId);
    const path = `${pathOf(paymentId)}/refund`;
    // The form of a paid payment has no `whole`: it asks for an amount.
    const { whole, ...hidden } = hiddenFields(await (await operator.open(path)).text());
    expect(whole).toBe("yes");
    const fields = { ...hidden, amount: "1000", reason: "requested_by_customer", by: "Adjoua" };
    const answer = await operator.post(path, fields);
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?problem=changed`);
    expect(await merchant.ledger.refunds(paymentId)).toEqual([]);
  });

  test("an acceptance is refused when the shopper disputed the payment after its page was opened", async () => {
    const paymentId = await createHeldPayment();
    const path = `${pathOf(paymentId)}/accept`;
    const fields = { ...hiddenFields(await (await operator.open(path)).text()), by: "Adjoua" };
    await merchant.ledger.commit({ disputes: [openDispute(paymentId)], timeline: [] });
    const answer = await operator.post(path, fields);
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?problem=changed`);
    expect((await readPayment(paymentId))?.state).toBe("review");
    expect(await textOf(await operator.open(path))).toContain("Dispute");
  });

  test("a held payment is not refunded without a name", async () => {
    const paymentId = await createHeldPayment();
    const answer = await operator.submit(`${pathOf(paymentId)}/refund`, "/refund", { by: "awa@example.test" });
    expect(answer.headers.get("location")).toMatch(/problem=name_missing$/);
    expect(await merchant.ledger.refunds(paymentId)).toEqual([]);
  });

  test("the refund form shows the amount that arrived", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    const session = merchant.service.newest();
    Object.assign(session, { status: "completed", body: { ...session.body, amount: 24_999 } });
    await merchant.get(returnPath);
    expect(await textOf(await operator.open(`${pathOf(paymentId)}/refund`))).toContain("Refund 24 999 F CFA?");
  });

  test("a refund fails with an explanation while the service answers errors", async () => {
    const paymentId = await createHeldPayment();
    merchant.service.failure = { status: 400, code: "bad_request" };
    const answer = await operator.submit(`${pathOf(paymentId)}/refund`, "/refund", { by: "Adjoua" });
    const problem = await operator.open(answer.headers.get("location") ?? "");
    expect(await textOf(problem)).toMatch(/does not answer|no answer yet/);
  });
});

test("a recorded payment has no difference to accept", async () => {
  const { paymentId, returnPath } = await merchant.startPayment();
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
  const answer = await operator.open(`${pathOf(paymentId)}/accept`);
  expect(answer.headers.get("location")).toBe(pathOf(paymentId));
  expect(await textOf(await operator.open(pathOf(paymentId)))).not.toContain("Your decision");
});

test("an operator retries a dead-letter job from its page", async () => {
  const { paymentId } = await merchant.startPayment();
  const now = merchant.clock.now();
  await merchant.ledger.commit({
    jobs: [{ kind: "confirm", storeId: "boutique", paymentId, payload: "", dueAt: now }],
    timeline: [],
  });
  const [job] = await merchant.ledger.claim({ worker: "w", now, leaseMs: 60_000, limit: 9 });
  const deadJob = {
    id: job?.id ?? "",
    dueAt: null,
    error: { code: "reconnect", message: "The shop refused our connection." },
  };
  await merchant.ledger.commit({ retried: [deadJob], timeline: [] });

  const page = await textOf(await operator.open("/operators/dead"));
  expect(page).toContain("Reconnect the shop, then retry this job.");
  const answer = await operator.submit("/operators/dead", "/retry");
  expect(answer.headers.get("location")).toBe("/operators/test/dead?done=retried");
  expect((await merchant.ledger.listJobs({ dead: true, limit: 9 })).rows).toEqual([]);
  expect(await merchant.ledger.nextDueAt()).toBeLessThanOrEqual(now);
});

/** Adds a transaction to the service and its id to the payment. */
async function addTransaction(paymentId: string): Promise<void> {
  const payment = await readPayment(paymentId);
  if (!payment) throw new Error("There is no payment.");
  const next = { ...payment, transactionId: "txn_1", version: payment.version + 1 };
  await merchant.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
  const createdAt = new Date(merchant.clock.now()).toISOString();
  const checkout_session_id = payment.session?.id;
  const ids = { transaction_id: "txn_1", checkout_session_id };
  merchant.service.transactions.push({ ...ids, status: "completed", created_at: createdAt });
}

test("French lines do not break before a colon or inside guillemets, and form values stay unchanged", async () => {
  const paymentId = await createHeldPayment();
  operator.cookies.set("tillkit_language", "fr");
  const page = await (await operator.open(`${pathOf(paymentId)}/accept`)).text();
  expect(page).toContain("«\u00a0Adjoua, comptabilité\u00a0»");
  expect(page).toContain("début du paiement\u00a0: 25");
  const answer = await operator.submit(`${pathOf(paymentId)}/accept`, "/accept", { by: "Adjoua" });
  expect(answer.headers.get("location")).toMatch(/done=accepted$/);
});
