import type { Ledger, Payment, PaymentState, Refund } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { afterEach, describe, expect, test } from "vitest";
import { type ExportQuery, exportPayments, noFees } from "../src/index.ts";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN, openDispute } from "./fixtures/operator.ts";

const noon = Date.UTC(2026, 0, 5, 12);
const HEADER =
  "order,payment,transaction,gross,fee,net,currency,state,created,store,returned,leaving,disputed,available,mode";

const sample: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "payment-1",
  ref: { storeId: "boutique", orderId: "1042" },
  orderNumber: "1042",
  attempt: "",
  environment: "test",
  account: null,
  credentialId: "credential-1",
  createdAt: noon,
  amountDue: { minor: 25_000, currency: "XOF" },
  wireAmount: 25_000,
  request: "{}",
  reference: "payment-1.0123456789abcdef",
  session: { id: "cs_1", url: "https://pay.example/cs_1", expiresAt: noon + 3_600_000 },
  transactionId: "txn_1",
  state: "recorded",
};

const sampleRefund: Refund = {
  key: "r1",
  paymentId: "payment-1",
  origin: "tillkit",
  amount: { minor: 1_000, currency: "XOF" },
  request: "",
  transactionId: "txn_1",
  state: "completed",
  refundId: null,
  requestedAt: noon,
  readOnlySince: null,
  otherKeys: [],
  mark: null,
  markReadAt: null,
  unmarkedKey: null,
};

async function ledgerOf(...payments: readonly Partial<Payment>[]): Promise<Ledger> {
  const ledger = createMemoryLedger();
  for (const [index, payment] of payments.entries()) {
    const id = `payment-${index + 1}`;
    const session = { ...sample.session, id: `cs_${id}`, url: "https://pay.example/", expiresAt: noon };
    await ledger.commit({ payment: { next: { ...sample, id, session, ...payment }, expect: "new" }, timeline: [] });
  }
  return ledger;
}

async function exportLines(ledger: Ledger, query: ExportQuery = {}): Promise<string[]> {
  let text = "";
  for await (const part of exportPayments(ledger, noFees, query)) text += part;
  expect(text.endsWith("\r\n")).toBe(true);
  return text.slice(0, -2).split("\r\n");
}

describe("the export for accounting", () => {
  test("the export contains the amount that arrived, not the amount due", async () => {
    const finding = {
      code: "amount_differs",
      expected: { minor: 25_000, currency: "XOF" },
      found: { minor: 24_999, currency: "XOF" },
    } as const;
    const received = { minor: 24_999, currency: "XOF" };
    const [, line = ""] = await exportLines(await ledgerOf({ state: "review", finding, amountReceived: received }));
    expect(line.split(",")[3]).toBe("24999");
  });

  test("a refund that names neither transaction of a payment counts once in the lines", async () => {
    const ledger = await ledgerOf({});
    const paid = { code: null, paymentId: "payment-1", amount: sample.amountDue, isRead: true, at: noon } as const;
    const transactions = ["txn_1", "txn_2"].map((id) => ({ ...paid, id, evidence: "identity" as const }));
    await ledger.commit({ transactions, refunds: [{ ...sampleRefund, transactionId: "" }], timeline: [] });
    const [, ...lines] = await exportLines(ledger);
    const amounts = lines
      .map((line) => line.split(","))
      .map((fields) => [fields[2], fields[10], fields[11], fields[13]]);
    expect(amounts).toEqual([
      ["txn_1", "1000", "0", "24000"],
      ["txn_2", "0", "0", "25000"],
    ]);
  });

  test("the export has a line for each payment that was received, and no other line", async () => {
    const states: PaymentState[] = [
      "intent",
      "open",
      "superseded",
      "expired",
      "closed",
      "refunded",
      "review",
      "recorded",
    ];
    const ledger = await ledgerOf(...states.map((state, index) => ({ state, ref: refOf(String(index)) })));
    const [header, ...lines] = await exportLines(ledger);
    expect(header).toBe(HEADER);
    expect(lines.map((line) => line.split(",")[7]).sort()).toEqual(["recorded", "refunded", "review"]);
  });

  test("the export writes amounts as decimals of their currency and times in ISO 8601", async () => {
    const ledger = await ledgerOf(
      {},
      { amountDue: { minor: 1_905, currency: "USD" }, ref: refOf("7"), transactionId: null },
    );
    expect(await exportLines(ledger)).toEqual([
      HEADER,
      "7,payment-2,,19.05,,,USD,recorded,2026-01-05T12:00:00.000Z,boutique,0.00,0.00,0.00,19.05,test",
      "1042,payment-1,txn_1,25000,,,XOF,recorded,2026-01-05T12:00:00.000Z,boutique,0,0,0,25000,test",
    ]);
  });

  test("the export filters by store and period, whose end is excluded", async () => {
    const ledger = await ledgerOf(
      { ref: refOf("before"), createdAt: noon - 1 },
      { ref: refOf("first"), createdAt: noon },
      { ref: { storeId: "other", orderId: "elsewhere" }, createdAt: noon },
      { ref: refOf("after"), createdAt: noon + 1_000 },
    );
    const lines = await exportLines(ledger, { from: noon, until: noon + 1_000, storeId: "boutique" });
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(["first"]);
  });

  test("the export says of each transaction what was returned, is leaving, is disputed and is available", async () => {
    const ledger = await ledgerOf({ state: "recorded" });
    const amount = (minor: number) => ({ minor, currency: "XOF" });
    const transaction = { code: null, paymentId: "payment-1", isRead: true, evidence: "identity", at: noon } as const;
    const refunds = [
      { ...sampleRefund, key: "r1", amount: amount(20_000) },
      { ...sampleRefund, key: "r2", amount: amount(1_000), state: "unknown" as const },
      { ...sampleRefund, key: "r3", amount: amount(300), transactionId: "txn_2" },
    ];
    await ledger.commit({
      transactions: [
        { ...transaction, id: "txn_1", amount: amount(25_000) },
        { ...transaction, id: "txn_2", amount: amount(25_000) },
      ],
      refunds,
      disputes: [{ ...openDispute("payment-1"), amount: amount(9_000), status: "closed", outcome: "lost" }],
      timeline: [],
    });
    const lines = (await exportLines(ledger)).slice(1).map((line) => line.split(","));
    expect(lines.map((fields) => [fields[2], fields[3], ...fields.slice(10, 14)])).toEqual([
      ["txn_1", "25000", "20000", "1000", "9000", "-5000"],
      ["txn_2", "25000", "300", "0", "0", "24700"],
    ]);
  });

  test.each([
    ["=1+1", "'=1+1"],
    ["+225", "'+225"],
    ["-5", "'-5"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ])("an order number %s becomes neither a formula nor another column", async (orderId, field) => {
    const [, line] = await exportLines(await ledgerOf({ ref: refOf(orderId) }));
    expect(line?.startsWith(`${field},payment-1,`)).toBe(true);
  });

  test("an export of many pages is complete", async () => {
    const many = Array.from({ length: 450 }, (_, index) => ({ ref: refOf(String(index)), createdAt: noon + index }));
    const lines = await exportLines(await ledgerOf(...many));
    expect(new Set(lines).size).toBe(451);
  });
});

describe("fee and net", () => {
  let merchant: MerchantFixture;
  afterEach(() => merchant.close());

  const download = async () => {
    const operator = await logInOperator(merchant);
    return await operator.open("/operators/export.csv?from=2026-01-01&until=2026-01-31&store=");
  };

  test("fee and net come from the service's transactions, also for a late payment", async () => {
    merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
    const { paymentId, returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    await merchant.get(returnPath);
    const payment = await merchant.ledger.find({ id: paymentId });
    const transaction = {
      gross_amount: 25_000,
      fee_amount: 625,
      net_amount: 24_375,
      currency_code: "XOF",
      status: "completed",
    };
    const created_at = new Date(merchant.clock.now() + 30 * 3_600_000).toISOString();
    const metadata = { tillkit_reference: payment?.reference };
    merchant.service.transactions.push({ ...transaction, transaction_id: "txn_other", created_at, fee_amount: 1 });
    merchant.service.transactions.push({ ...transaction, transaction_id: "txn_late", created_at, metadata });
    const answer = await download();
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(answer.headers.get("content-disposition")).toBe(
      'attachment; filename="payments-test-2026-01-01-2026-01-31.csv"',
    );
    expect(await answer.text()).toBe(
      `${HEADER}\r\n1042,${paymentId},txn_late,25000,625,24375,XOF,recorded,2026-01-05T09:00:00.000Z,boutique,0,0,0,25000,test\r\n`,
    );
  });

  test("there is no export file when the service's fees cannot be read", async () => {
    merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
    const { returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    await merchant.get(returnPath);
    merchant.service.failure = { status: 400, code: "bad_request" };
    expect((await download()).status).toBe(503);
  });
});

function refOf(orderId: string) {
  return { storeId: "boutique", orderId };
}
