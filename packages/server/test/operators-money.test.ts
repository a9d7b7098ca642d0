import { type Dispute, money, type Refund } from "@tillkit/core";
import type { PaidTransaction } from "@tillkit/core/ledger";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import {
  createOperator,
  hiddenFields,
  logInOperator,
  OPERATOR_TOKEN,
  type Operator,
  openDispute,
  textOf,
} from "./fixtures/operator.ts";

const VIEWER_TOKEN = "the token of a viewer, which is long enough";

let merchant: MerchantFixture;
let operator: Operator;
beforeEach(async () => {
  const tokens = [OPERATOR_TOKEN, { token: VIEWER_TOKEN, name: "Accountant", role: "viewer" }] as const;
  merchant = await openMerchant({ options: { operators: { tokens } } });
  operator = await logInOperator(merchant);
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

const xof = (minor: number) => money(minor, "XOF");
const pathOf = (paymentId: string) => `/operators/test/payments/${paymentId}`;
const readPage = async (path: string) => await textOf(await operator.open(path));
const locationOf = (answer: Response) => answer.headers.get("location");
const amountsOf = async (paymentId: string) =>
  (await merchant.ledger.refunds(paymentId)).map(({ amount, state }) => `${amount.minor} ${state}`);

/** A payment of 25 000 F CFA that is recorded on its order. The service shows its transaction, with or without its session. */
async function createPaidPayment({ namesSession = true } = {}): Promise<string> {
  const { paymentId, returnPath } = await merchant.startPayment();
  const session = merchant.service.newest();
  session.status = "completed";
  await merchant.get(returnPath);
  addTransaction("txn_1", namesSession ? { checkout_session_id: session.id } : {});
  return paymentId;
}

function addTransaction(transaction_id: string, more: Record<string, unknown> = {}): void {
  const created_at = new Date(merchant.clock.now()).toISOString();
  const facts = { status: "completed", gross_amount: 25_000, currency_code: "XOF", provider_code: "WAVE", created_at };
  merchant.service.transactions.push({ transaction_id, ...facts, ...more });
}

const lost = (paymentId: string, minor: number): Dispute => ({
  ...openDispute(paymentId),
  amount: xof(minor),
  status: "closed",
  outcome: "lost",
});

const store = async (change: { refunds?: Refund[]; disputes?: Dispute[]; transactions?: PaidTransaction[] }) =>
  await merchant.ledger.commit({ ...change, timeline: [] });

function refundOf(paymentId: string, change: Partial<Refund> = {}): Refund {
  const marks = { mark: null, markReadAt: null, unmarkedKey: null, readOnlySince: null, otherKeys: [] };
  const requestedAt = merchant.clock.now();
  const facts = { paymentId, request: "{}", transactionId: "txn_1", refundId: "R1", requestedAt, ...marks };
  return { key: "r-1", origin: "tillkit", amount: xof(5_000), state: "completed", ...facts, ...change };
}

const refundFields = { amount: "20000", reason: "requested_by_customer", by: "Adjoua" };

async function submitForm(path: string, fields: Record<string, string>, action = "/refund") {
  const answer = await operator.submit(path, action, fields);
  const page = await answer.text();
  return { answer, page, values: hiddenFields(page), text: await textOf(new Response(page)) };
}

describe("the money of a payment", () => {
  test("a payment's page shows what arrived, returned, is leaving, is disputed and is available", async () => {
    const paymentId = await createPaidPayment();
    const leaving = refundOf(paymentId, { key: "r-2", refundId: null, state: "pending", amount: xof(1_000) });
    await store({ refunds: [refundOf(paymentId), leaving], disputes: [lost(paymentId, 9_000)] });
    expect(await readPage(pathOf(paymentId))).toContain(
      "Arrived 25 000 F CFA Returned 5 000 F CFA On its way back 1 000 F CFA Disputed, open or lost 9 000 F CFA Available 10 000 F CFA",
    );
    operator.cookies.set("tillkit_language", "fr");
    expect(await readPage(pathOf(paymentId))).toContain(
      "Reçu 25 000 F CFA Remboursé 5 000 F CFA En cours de remboursement 1 000 F CFA Contesté, en cours ou perdu 9 000 F CFA Disponible 10 000 F CFA",
    );
  });

  test("a dispute after a refund shows a shortfall on the page and among what needs attention", async () => {
    const paymentId = await createPaidPayment();
    await store({ refunds: [refundOf(paymentId)], disputes: [lost(paymentId, 21_000)] });
    expect(await readPage(pathOf(paymentId))).toContain("Shortfall −1 000 F CFA");
    expect(await readPage("/operators")).toContain(
      "Shortfall −1 000 F CFA A refund and a dispute both took the money.",
    );
    expect(await readPage(pathOf(paymentId))).toContain("Refund …");
  });

  test("a dispute of a surplus that went back already needs attention, although the order's own money is there", async () => {
    const paymentId = await createPaidPayment();
    const read = { code: null, paymentId, amount: xof(25_000), isRead: true, evidence: "identity" } as const;
    const transactions = ["txn_1", "txn_2"].map((id) => ({ ...read, id, at: merchant.clock.now() }));
    const refund = refundOf(paymentId, { transactionId: "txn_2", amount: xof(25_000) });
    const dispute = { ...lost(paymentId, 25_000), transactionId: "txn_2" };
    await store({ transactions, refunds: [refund], disputes: [dispute] });
    expect(await readPage("/operators")).toContain("Shortfall −25 000 F CFA");
  });

  test("a dispute that was won takes nothing", async () => {
    const paymentId = await createPaidPayment();
    await store({ disputes: [{ ...lost(paymentId, 9_000), outcome: "won" }] });
    expect(await readPage(pathOf(paymentId))).toContain("Available 25 000 F CFA");
  });
});

describe("a refund over a dispute", () => {
  test("a refund over a dispute is refused with its sums, and made after a second step that names the disputed sum", async () => {
    const paymentId = await createPaidPayment();
    await store({ disputes: [lost(paymentId, 9_000)] });
    const first = await submitForm(`${pathOf(paymentId)}/refund`, refundFields);
    expect(first.answer.status).toBe(422);
    expect(first.text).toContain("25 000 F CFA received, 9 000 F CFA disputed: 16 000 F CFA can be refunded.");
    expect(merchant.service.refunds.size).toBe(0);

    const second = await operator.post(`${pathOf(paymentId)}/refund`, first.values);
    const page = await second.text();
    expect(await textOf(new Response(page))).toContain("9 000 F CFA of this payment are disputed.");
    const answer = await operator.post(`${pathOf(paymentId)}/refund/confirm`, hiddenFields(page));
    expect(locationOf(answer)).toBe(`${pathOf(paymentId)}?done=refunded_in_part`);
    expect(await amountsOf(paymentId)).toEqual(["20000 completed"]);
    const shown = await readPage(pathOf(paymentId));
    expect(shown).toContain("The refund was confirmed although 9 000 F CFA are disputed");
    expect(shown).toContain("Shortfall −4 000 F CFA");
    expect(await readPage("/operators/acts")).toContain("over a dispute of 9 000 F CFA");
  });

  test("what a dispute leaves is refunded in one step", async () => {
    const paymentId = await createPaidPayment();
    await store({ disputes: [lost(paymentId, 9_000)] });
    const form = await readPage(`${pathOf(paymentId)}/refund`);
    expect(form).toContain("At most 16 000 F CFA.");
    const { text, answer } = await submitForm(`${pathOf(paymentId)}/refund`, { ...refundFields, amount: "16000" });
    expect([answer.status, text.includes("Left after it 0 F CFA")]).toEqual([200, true]);
  });

  test("a second step that confirmed another disputed sum than now refunds nothing", async () => {
    const paymentId = await createPaidPayment();
    await store({ disputes: [lost(paymentId, 9_000)] });
    const first = await submitForm(`${pathOf(paymentId)}/refund`, refundFields);
    const second = await (await operator.post(`${pathOf(paymentId)}/refund`, first.values)).text();
    await store({ disputes: [{ ...lost(paymentId, 10_000), updatedAt: 1 }] });
    const confirmed = await operator.post(`${pathOf(paymentId)}/refund/confirm`, hiddenFields(second));
    expect(locationOf(confirmed)).toMatch(/problem=changed$/);
    const stale = await operator.post(`${pathOf(paymentId)}/refund`, first.values);
    expect([stale.status, (await textOf(stale)).includes("10 000 F CFA disputed")]).toEqual([422, true]);
    expect(merchant.service.refunds.size).toBe(0);
  });

  test("a confirmation without the second step refunds no disputed money", async () => {
    const paymentId = await createPaidPayment();
    await store({ disputes: [lost(paymentId, 9_000)] });
    const { values } = await submitForm(`${pathOf(paymentId)}/refund`, { ...refundFields, amount: "16000" });
    const answer = await operator.post(`${pathOf(paymentId)}/refund/confirm`, { ...values, amount: "20000" });
    expect(locationOf(answer)).toMatch(/problem=over_dispute$/);
    expect(await textOf(await operator.open(locationOf(answer) ?? ""))).toMatch(
      /Nothing was refunded, because a dispute holds or took this money\. .*9 000 F CFA/,
    );
    expect(merchant.service.refunds.size).toBe(0);
  });
});

describe("several transactions of one session", () => {
  const addSecond = async (paymentId: string) => {
    const session = merchant.service.newest();
    addTransaction("txn_2", { checkout_session_id: session.id });
    const facts = { code: null, paymentId, amount: xof(25_000), isRead: true, evidence: "identity" } as const;
    const transactions = ["txn_1", "txn_2"].map((id) => ({ ...facts, id, at: merchant.clock.now() }));
    const payment = await merchant.ledger.find({ id: paymentId });
    if (!payment) throw new Error("There is no payment.");
    const next = { ...payment, transactionId: "txn_1", version: payment.version + 1 };
    await merchant.ledger.commit({ payment: { next, expect: payment.version }, transactions, timeline: [] });
  };

  test("the further transaction is shown as the customer's and refunded by itself", async () => {
    const paymentId = await createPaidPayment();
    await addSecond(paymentId);
    const page = await readPage(pathOf(paymentId));
    expect(page).toContain("Arrived 50 000 F CFA");
    expect(page).toContain("25 000 F CFA of this transaction belong to the customer.");
    expect(await readPage("/operators")).toContain("25 000 F CFA of this transaction belong to the customer.");

    const path = `${pathOf(paymentId)}/refund?transaction=txn_2`;
    const { values } = await submitForm(path, { ...refundFields, amount: "25000", transaction: "txn_2" });
    const answer = await operator.post(`${pathOf(paymentId)}/refund/confirm`, values);
    expect(locationOf(answer)).toMatch(/done=/);
    expect([...merchant.service.refunds.values()]).toMatchObject([{ transaction_id: "txn_2", amount: 25_000 }]);
    expect((await merchant.ledger.find({ id: paymentId }))?.state).toBe("recorded");
    expect(await readPage("/operators")).not.toContain("belong to the customer");
  });

  test("the overview counts a surplus as received, and what a dispute and a refund took", async () => {
    const paymentId = await createPaidPayment();
    await addSecond(paymentId);
    await store({ disputes: [lost(paymentId, 9_000)], refunds: [refundOf(paymentId)] });
    expect(await readPage("/operators?period=24h")).toContain(
      "Received 50 000 F CFA none in the period before Returned 5 000 F CFA Disputed, open or lost 9 000 F CFA Left 36 000 F CFA",
    );
    // 5 000 of 25 000 were refunded and 36 000 are left: such a sentence would not add up.
    expect(await readPage(pathOf(paymentId))).not.toContain("remains");
    await store({ disputes: [{ ...lost(paymentId, 9_000), outcome: "won" }] });
    expect(await readPage("/operators?period=24h")).toContain("Returned 5 000 F CFA Left 45 000 F CFA");
  });

  test("the further transaction is refunded also after the payment itself was refunded", async () => {
    const paymentId = await createPaidPayment();
    await addSecond(paymentId);
    const whole = await submitForm(`${pathOf(paymentId)}/refund`, {
      ...refundFields,
      amount: "25000",
      transaction: "txn_1",
    });
    await operator.post(`${pathOf(paymentId)}/refund/confirm`, whole.values);
    expect((await merchant.ledger.find({ id: paymentId }))?.state).toBe("refunded");
    const path = `${pathOf(paymentId)}/refund?transaction=txn_2`;
    const { values } = await submitForm(path, { ...refundFields, amount: "25000", transaction: "txn_2" });
    await operator.post(`${pathOf(paymentId)}/refund/confirm`, values);
    expect(await amountsOf(paymentId)).toEqual(["25000 completed", "25000 completed"]);
  });
});

describe("a service that does not name the transaction", () => {
  test("a person chooses the transaction once, and then the payment can be refunded", async () => {
    const paymentId = await createPaidPayment({ namesSession: false });
    const refused = await submitForm(`${pathOf(paymentId)}/refund`, refundFields);
    const answer = await operator.post(`${pathOf(paymentId)}/refund/confirm`, refused.values);
    expect(locationOf(answer)).toMatch(/problem=transaction_unknown$/);

    const page = await readPage(`${pathOf(paymentId)}/transaction`);
    expect(page).toMatch(/Which transaction paid this order\?.*txn_1 25 000 F CFA/);
    const fields = { transaction: "txn_1", by: "Adjoua", answer: "chosen" };
    const chosen = await operator.submit(`${pathOf(paymentId)}/transaction`, "/transaction", fields);
    expect(locationOf(chosen)).toMatch(/done=transaction_named$/);
    const shown = await readPage(pathOf(paymentId));
    expect(shown).toMatch(/txn_1 25 000 F CFA Chosen by a person .* Chosen by Adjoua\./);
    expect(shown).toContain("The transaction that paid was chosen, because the service does not name it (Adjoua).");
    expect(locationOf(await operator.open(`${pathOf(paymentId)}/transaction`))).toBe(pathOf(paymentId));

    const { values } = await submitForm(`${pathOf(paymentId)}/refund`, refundFields);
    await operator.post(`${pathOf(paymentId)}/refund/confirm`, values);
    expect(await amountsOf(paymentId)).toEqual(["20000 completed"]);
  });

  test("a payment whose page finds no transaction that fits says so", async () => {
    const paymentId = await createPaidPayment({ namesSession: false });
    merchant.service.transactions.splice(0);
    const page = await readPage(`${pathOf(paymentId)}/transaction`);
    expect(page).toContain("The service shows no transaction that fits");
    expect(page).not.toContain("This transaction paid the order");
  });
});

describe("a refund without an answer", () => {
  const doubtful = (paymentId: string) =>
    refundOf(paymentId, { state: "unknown", refundId: null, readOnlySince: merchant.clock.now() });

  test.each([
    ["made", "5000 completed"],
    ["not_made", "5000 failed"],
  ])("a person who looked in the dashboard ends a refund as %s", async (answer, state) => {
    const paymentId = await createPaidPayment();
    await store({ refunds: [doubtful(paymentId)] });
    expect(await readPage(pathOf(paymentId))).not.toContain("I have looked in the dashboard");
    await merchant.clock.advance(600_000);
    expect(await readPage(pathOf(paymentId))).toContain("I have looked in the dashboard");
    const path = `${pathOf(paymentId)}/refund/result?key=r-1`;
    expect(await readPage(path)).toContain("Was the refund of 5 000 F CFA made?");
    const answered = await operator.submit(path, "/refund/result", { answer, by: "Adjoua" });
    expect(locationOf(answered)).toMatch(/done=refund_settled$/);
    expect(await amountsOf(paymentId)).toEqual([state]);
    expect(await readPage(pathOf(paymentId))).toContain("was read in the service’s dashboard (Adjoua).");
    expect(locationOf(await operator.open(path))).toBe(pathOf(paymentId));
  });

  test("an answer from a page that is older than the refund's result changes nothing", async () => {
    const paymentId = await createPaidPayment();
    await store({ refunds: [doubtful(paymentId)] });
    const path = `${pathOf(paymentId)}/refund/result?key=r-1`;
    const values = hiddenFields(await (await operator.open(path)).text());
    await store({ refunds: [refundOf(paymentId)] });
    const late = await operator.post(`${pathOf(paymentId)}/refund/result`, {
      ...values,
      answer: "not_made",
      by: "Adjoua",
    });
    expect(locationOf(late)).toMatch(/problem=changed$/);
    expect(await amountsOf(paymentId)).toEqual(["5000 completed"]);
  });
});

describe("a dispute that ended without an outcome", () => {
  test("a person says that it was won, and its money is available again", async () => {
    const paymentId = await createPaidPayment();
    await store({ disputes: [{ ...lost(paymentId, 9_000), outcome: null }] });
    const page = await readPage(pathOf(paymentId));
    expect(page).toContain("Available 16 000 F CFA");
    expect(page).toContain("The service did not report who won.");
    const overview = await readPage("/operators/test");
    expect(overview).toMatch(/1042 .*dispute about 9 000 F CFA is closed.*say so on the payment’s page/);
    const path = `${pathOf(paymentId)}/dispute?dispute=D1`;
    const answer = await operator.submit(path, "/dispute", { answer: "won", by: "Adjoua" });
    expect(locationOf(answer)).toMatch(/done=dispute_decided$/);
    expect(await readPage(pathOf(paymentId))).toContain("Available 25 000 F CFA");
    expect((await merchant.ledger.disputes(paymentId))[0]?.outcome).toBe("won");
    expect(locationOf(await operator.open(path))).toBe(pathOf(paymentId));
    expect(await readPage("/operators/test")).toContain("Nothing needs your attention.");
  });
});

test("a payment of which nobody knows that it was paid offers no choice of its transaction", async () => {
  const paymentId = await createPaidPayment({ namesSession: false });
  expect(await readPage(pathOf(paymentId))).toContain("Choose the transaction …");
  const payment = await merchant.ledger.find({ id: paymentId });
  if (!payment) throw new Error("There is no payment.");
  const next = { ...payment, amountReceived: null, version: payment.version + 1 };
  await merchant.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
  expect(await readPage(pathOf(paymentId))).not.toContain("Choose the transaction …");
});

test("a viewer sees the money and is neither offered nor allowed these decisions", async () => {
  const paymentId = await createPaidPayment({ namesSession: false });
  await store({ disputes: [{ ...lost(paymentId, 9_000), outcome: null }] });
  const viewer = createOperator(merchant);
  await viewer.submit("/operators/login", "/login", { token: VIEWER_TOKEN });
  const page = await textOf(await viewer.open(pathOf(paymentId)));
  expect(page).toContain("Available 16 000 F CFA");
  expect(page).not.toMatch(/Choose the transaction …|We know how it ended …/);
  const form = /name="form" value="([^"]+)"/.exec(await (await viewer.open("/operators")).text())?.[1] ?? "";
  for (const path of ["/refund/result", "/dispute", "/transaction"]) {
    const viewed = await viewer.open(`${pathOf(paymentId)}${path}`);
    const sent = await viewer.post(`${pathOf(paymentId)}${path}`, { form, by: "Adjoua", answer: "won" });
    expect([viewed, sent].map(locationOf)).toEqual([
      "/operators/test/?problem=viewer",
      "/operators/test/?problem=viewer",
    ]);
  }
});
