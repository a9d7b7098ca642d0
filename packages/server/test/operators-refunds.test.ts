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

let merchant: MerchantFixture;
let operator: Operator;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
  operator = await logInOperator(merchant);
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

const pathOf = (paymentId: string) => `/operators/test/payments/${paymentId}`;

/** Creates a payment of 25 000 F CFA that is recorded on its order, and returns its ID. */
async function createPaidPayment(): Promise<string> {
  const { paymentId, returnPath } = await merchant.startPayment();
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
  const payment = await merchant.ledger.find({ id: paymentId });
  if (!payment) throw new Error("There is no payment.");
  const next = { ...payment, transactionId: "txn_1", version: payment.version + 1 };
  await merchant.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
  const created_at = new Date(merchant.clock.now()).toISOString();
  const ids = { transaction_id: "txn_1", checkout_session_id: payment.session?.id };
  merchant.service.transactions.push({ ...ids, status: "completed", created_at });
  return paymentId;
}

const refundFields = { amount: "5000", reason: "requested_by_customer", by: "Adjoua, bookkeeping" };

/** The fields of the confirmation page, which the browser would send. */
async function preview(paymentId: string, fields: Record<string, string> = refundFields) {
  const answer = await operator.submit(`${pathOf(paymentId)}/refund`, "/refund", fields);
  const page = await answer.text();
  const values = hiddenFields(page);
  return { answer, page, values, text: await textOf(new Response(page)) };
}

const confirm = (paymentId: string, values: Record<string, string>) =>
  operator.post(`${pathOf(paymentId)}/refund/confirm`, values);

const amountsOf = async (paymentId: string) =>
  (await merchant.ledger.refunds(paymentId)).map(({ amount, state }) => `${amount.minor} ${state}`);

describe("a paid payment", () => {
  test("an operator refunds a part: the preview shows what is left, and the refund happens after the confirmation", async () => {
    const paymentId = await createPaidPayment();
    expect(await textOf(await operator.open(pathOf(paymentId)))).toContain("Refund …");
    const { text, values } = await preview(paymentId, { ...refundFields, amount: "5 000" });
    expect(text).toContain("Refund 5 000 F CFA?");
    expect(text).toContain(
      "Paid 25 000 F CFA Refunded before 0 F CFA This refund 5 000 F CFA Left after it 20 000 F CFA",
    );
    expect(text).toContain("The customer asked for it");
    expect(text).toContain("Adjoua, bookkeeping");
    expect(merchant.service.refunds.size).toBe(0);

    const answer = await confirm(paymentId, values);
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?done=refunded_in_part`);
    expect(await amountsOf(paymentId)).toEqual(["5000 completed"]);
    expect([...merchant.service.refunds.values()]).toMatchObject([
      { amount: 5_000, reason: expect.stringMatching(/^TKT\w{10} requested_by_customer$/), refund_type: "partial" },
    ]);
    const page = await textOf(await operator.open(pathOf(paymentId)));
    expect(page).toContain("Decided by: Adjoua, bookkeeping.");
    expect(page).toContain("Paid Refunded in part");
    expect(page).toContain("Refunded 5 000 F CFA 20 000 F CFA left");
  });

  test("an operator refunds the rest, and then nothing is left to refund", async () => {
    const paymentId = await createPaidPayment();
    await confirm(paymentId, (await preview(paymentId)).values);
    const rest = await preview(paymentId, { ...refundFields, amount: "20000" });
    expect(rest.text).toContain("Refunded before 5 000 F CFA This refund 20 000 F CFA Left after it 0 F CFA");
    expect((await confirm(paymentId, rest.values)).headers.get("location")).toMatch(/done=refunded$/);
    expect(await amountsOf(paymentId)).toEqual(["5000 completed", "20000 completed"]);
    expect((await merchant.ledger.find({ id: paymentId }))?.state).toBe("refunded");
    expect(await textOf(await operator.open(pathOf(paymentId)))).not.toContain("Refund …");
  });

  test("a double click on the confirmation makes one refund", async () => {
    const paymentId = await createPaidPayment();
    const { values } = await preview(paymentId);
    const answers = await Promise.all([
      confirm(paymentId, values),
      confirm(paymentId, values),
      confirm(paymentId, values),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await amountsOf(paymentId)).toEqual(["5000 completed"]);
    expect(merchant.service.refunds.size).toBe(1);
  });

  test("a confirmation that is sent again later, from the Back button, makes no second refund", async () => {
    const paymentId = await createPaidPayment();
    const { values } = await preview(paymentId);
    await confirm(paymentId, values);
    await merchant.clock.advance(60_000);
    const again = await confirm(paymentId, values);
    expect(again.headers.get("location")).toBe(`${pathOf(paymentId)}?done=refunded_in_part`);
    expect(await amountsOf(paymentId)).toEqual(["5000 completed"]);
    expect(merchant.service.refunds.size).toBe(1);
  });

  test("a confirmation whose preview is no longer true is refused: another person refunded meanwhile", async () => {
    const paymentId = await createPaidPayment();
    const [first, second] = [await preview(paymentId), await preview(paymentId)];
    await confirm(paymentId, first.values);
    const answer = await confirm(paymentId, second.values);
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?problem=changed`);
    expect(await amountsOf(paymentId)).toEqual(["5000 completed"]);
  });

  test("a confirmation is refused when the shopper disputed the payment after the preview, and the next preview shows it", async () => {
    const paymentId = await createPaidPayment();
    const { values } = await preview(paymentId);
    await merchant.ledger.commit({ disputes: [openDispute(paymentId)], timeline: [] });
    const answer = await confirm(paymentId, values);
    expect(answer.headers.get("location")).toBe(`${pathOf(paymentId)}?problem=changed`);
    expect(await amountsOf(paymentId)).toEqual([]);
    expect((await preview(paymentId)).text).toContain("Dispute");
  });

  test("the preview counts a refund of the service's dashboard that no event reported", async () => {
    const paymentId = await createPaidPayment();
    const created_at = new Date(merchant.clock.now()).toISOString();
    const made = { refund_id: "R9", transaction_id: "txn_1", amount: 2_000, status: "completed", created_at };
    merchant.service.refunds.set("dashboard", made);
    expect((await preview(paymentId)).text).toContain("Refunded before 2 000 F CFA");
  });

  test("two people who confirm the same amount at the same moment make one refund", async () => {
    const paymentId = await createPaidPayment();
    const [first, second] = [await preview(paymentId), await preview(paymentId)];
    expect(first.values.decision).not.toBe(second.values.decision);
    await Promise.all([confirm(paymentId, first.values), confirm(paymentId, second.values)]);
    expect(await amountsOf(paymentId)).toEqual(["5000 completed"]);
    expect(merchant.service.refunds.size).toBe(1);
  });

  test.each([
    ["", "Write the amount as digits, such as 25000."],
    ["0", "This is no amount in the payment’s currency"],
    ["-5", "Write the amount as digits, such as 25000."],
    ["12,5", "Write the amount as digits, such as 25000."],
    ["5,000", "Write the amount as digits, such as 25000."],
    ["5.000", "Write the amount as digits, such as 25000."],
    ["1e3", "Write the amount as digits, such as 25000."],
    ["25001", "Nothing was refunded: at most 25 000 F CFA can be refunded."],
  ])(
    "the amount %j is refused with a sentence, and what the operator wrote stays in the form",
    async (amount, sentence) => {
      const paymentId = await createPaidPayment();
      const { answer, text, page } = await preview(paymentId, { ...refundFields, amount });
      expect(answer.status).toBe(422);
      expect(text).toContain(sentence);
      expect(page).toContain(`value="${amount}"`);
      expect(page).toContain('value="Adjoua, bookkeeping"');
    },
  );

  test("a refund needs a reason and a name that is no e-mail address", async () => {
    const paymentId = await createPaidPayment();
    expect((await preview(paymentId, { ...refundFields, reason: "" })).text).toContain("Choose a reason.");
    const withEmail = await preview(paymentId, { ...refundFields, by: "awa@example.test" });
    expect(withEmail.text).toContain("Enter your name or role, without an e-mail address.");
    expect(await amountsOf(paymentId)).toEqual([]);
  });

  test("a confirmation cannot ask for more than its preview allows, and a form of another site refunds nothing", async () => {
    const paymentId = await createPaidPayment();
    const { values } = await preview(paymentId);
    const tooMuch = await confirm(paymentId, { ...values, amount: "25001" });
    expect(tooMuch.headers.get("location")).toBe(`${pathOf(paymentId)}?problem=too_large`);
    const answered = await textOf(await operator.open(`${pathOf(paymentId)}?problem=too_large`));
    expect(answered).toContain("Nothing was refunded: at most 25 000 F CFA can be refunded.");
    const fromOtherSite = await confirm(paymentId, { ...values, form: "guessed" });
    expect(fromOtherSite.headers.get("location")).toMatch(/problem=form_expired$/);
    const withoutDecision = await confirm(paymentId, { ...values, decision: "" });
    expect(withoutDecision.headers.get("location")).toMatch(/problem=form_expired$/);
    expect(merchant.service.refunds.size).toBe(0);
  });

  test("while a refund has no result, the form shows that and offers no second refund", async () => {
    const paymentId = await createPaidPayment();
    const inDoubt = { key: "store-1", paymentId, origin: "store", amount: { minor: 500, currency: "XOF" } } as const;
    const times = {
      requestedAt: merchant.clock.now(),
      readOnlySince: null,
      mark: null,
      markReadAt: null,
      unmarkedKey: null,
    };
    const sent = { ...inDoubt, ...times, request: "{}", transactionId: "txn_1", refundId: null, otherKeys: [] };
    await merchant.ledger.commit({ refunds: [{ ...sent, state: "unknown" }], timeline: [] });
    const form = await textOf(await operator.open(`${pathOf(paymentId)}/refund`));
    expect(form).toContain("A refund of this payment has no result yet: wait for it");
    expect(form).not.toContain("Continue");
  });

  test("the confirmation says whether the shop records refunds itself", async () => {
    const paymentId = await createPaidPayment();
    expect((await preview(paymentId)).text).toContain("The shop is not told of refunds");
    merchant.shop.adapter.recordRefund = async () => ({ outcome: "recorded", evidence: "read-back" });
    expect((await preview(paymentId)).text).toContain("The order in the shop shows the refund too.");
  });
});

test("the page that asks to confirm a refund shows in its menu what waits for a person, as every page does", async () => {
  const paymentId = await createPaidPayment();
  const dueAt = merchant.clock.now();
  const job = { kind: "note", storeId: "boutique", paymentId, payload: "", dueAt } as const;
  await merchant.ledger.commit({ jobs: [job], timeline: [] });
  const claimed = await merchant.ledger.claim({ worker: "w", now: dueAt, leaseMs: 60_000, limit: 10 });
  const error = { code: "unexpected", message: "The shop answered with a page." } as const;
  await merchant.ledger.commit({ retried: claimed.map(({ id }) => ({ id, dueAt: null, error })), timeline: [] });
  const { text } = await preview(paymentId);
  expect(text).toContain("Refund 5 000 F CFA?");
  expect(text).toContain(`Technical ${claimed.length} `);
});

test("the refunds of all payments are one list, with reason, origin and payment", async () => {
  const paymentId = await createPaidPayment();
  await confirm(paymentId, (await preview(paymentId)).values);
  const page = await textOf(await operator.open("/operators/refunds"));
  expect(page).toMatch(/ 1042 5 000 F CFA Refunded The customer asked for it decided in these pages · boutique/);
  operator.cookies.set("tillkit_language", "fr");
  expect(await textOf(await operator.open("/operators/refunds"))).toMatch(/Demande du client décidé ici/);
});

test("a payment that nobody paid cannot be refunded", async () => {
  const { paymentId } = await merchant.startPayment();
  const answer = await operator.open(`${pathOf(paymentId)}/refund`);
  expect(answer.headers.get("location")).toBe(pathOf(paymentId));
  const sent = await operator.post(`${pathOf(paymentId)}/refund`, { ...refundFields, form: await readFormToken() });
  expect(sent.headers.get("location")).toMatch(/problem=no_money$/);
  expect(merchant.service.refunds.size).toBe(0);
});

async function readFormToken(): Promise<string> {
  const page = await (await operator.open("/operators")).text();
  return /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
}
