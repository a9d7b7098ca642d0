import { money, type Refund } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN, type Operator, openDispute, textOf } from "./fixtures/operator.ts";

let merchant: MerchantFixture;
let operator: Operator;
let today: string;
let days: string;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
  operator = await logInOperator(merchant);
  today = new Date(merchant.clock.now()).toISOString().slice(0, 10);
  days = `from=${today}&until=${today}`;
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

/** Creates a recorded payment with its transaction at the service, of which 5 000 F CFA were refunded. Returns its ID. */
async function createRefundedPayment(): Promise<string> {
  const { paymentId, returnPath } = await merchant.startPayment();
  const session = merchant.service.newest();
  session.status = "completed";
  await merchant.get(returnPath);
  merchant.service.transactions.push({
    transaction_id: "t-1",
    checkout_session_id: session.id,
    status: "completed",
    gross_amount: 25_000,
    fee_amount: 625,
    net_amount: 24_375,
    refunded_amount: 5_000,
    currency_code: "XOF",
    created_at: new Date(merchant.clock.now()).toISOString(),
  });
  await merchant.ledger.commit({ refunds: [refundOf(paymentId)], timeline: [] });
  return paymentId;
}

function refundOf(paymentId: string): Refund {
  const request = '{"amount":5000,"reason":"requested_by_customer"}';
  const common = {
    request,
    transactionId: "t-1",
    readOnlySince: null,
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
    requestedAt: merchant.clock.now(),
  };
  return {
    ...common,
    key: "r-1",
    paymentId,
    origin: "tillkit",
    amount: money(5_000, "XOF"),
    state: "completed",
    refundId: "R1",
  };
}

const linesOf = async (path: string) => (await (await operator.open(`/operators${path}`)).text()).trim().split("\r\n");

describe("the export files", () => {
  test("the file of refunds has their order, amount, state, reason and origin", async () => {
    const paymentId = await createRefundedPayment();
    const [head, line = "", ...others] = await linesOf(`/export.csv?what=refunds&${days}`);
    expect(head).toBe("refund,order,payment,transaction,amount,currency,state,reason,origin,requested,store,mode");
    expect(line).toMatch(
      new RegExp(
        `^R1,1042,${paymentId},t-1,5000,XOF,completed,requested_by_customer,tillkit,\\d{4}-.*Z,boutique,test$`,
      ),
    );
    expect(others).toEqual([]);
    expect(await linesOf("/export.csv?what=refunds&from=2020-01-01&until=2020-01-02")).toHaveLength(1);
    expect(await linesOf(`/export.csv?what=refunds&store=elsewhere&${days}`)).toHaveLength(1);
  });

  test("the file of disputes has their amount, status, outcome and deadline for evidence", async () => {
    const paymentId = await createRefundedPayment();
    const now = merchant.clock.now();
    const dispute = { id: "D1", paymentId, transactionId: null, amount: money(25_000, "XOF"), reason: "fraudulent" };
    const status = { status: "closed", outcome: "won", evidenceDueBy: now, openedAt: now, updatedAt: now } as const;
    await merchant.ledger.commit({ disputes: [{ ...dispute, ...status }], timeline: [] });
    const [head, line] = await linesOf(`/export.csv?what=disputes&${days}`);
    expect(head).toBe("dispute,order,payment,amount,currency,status,outcome,reason,evidence_due,opened,store,mode");
    expect(line).toContain(`D1,1042,${paymentId},25000,XOF,closed,won,fraudulent,`);
    expect(await linesOf("/export.csv?what=disputes&from=2020-01-01&until=2020-01-02")).toHaveLength(1);
  });

  test("a file for Excel begins with its mark, and has semicolons and decimal commas in French", async () => {
    const paymentId = await createRefundedPayment();
    const amount = money(1_250, "USD");
    await merchant.ledger.commit({ disputes: [{ ...openDispute(paymentId), amount, reason: "a; b" }], timeline: [] });
    const open = async (path: string) => Buffer.from(await (await operator.open(`/operators${path}`)).arrayBuffer());
    const file = `/export.csv?what=disputes&format=excel&from=1970-01-01&until=${today}`;
    expect((await open(file)).toString()).toContain("\uFEFFdispute,order,");
    operator.cookies.set("tillkit_language", "fr");
    const french = (await open(file)).toString();
    expect(french.startsWith("\uFEFFdispute;order;payment;amount;currency;")).toBe(true);
    expect(french).toContain(`;${paymentId};12,50;USD;pending;;"a; b";`);
    expect(french.match(/\uFEFF/g)).toHaveLength(1);
    expect((await open(`/chosen.csv?payment=${paymentId}&format=excel`)).toString()).toMatch(/^\uFEFForder;payment;/);
    expect((await open(`/export.csv?what=refunds&${days}`)).toString()).toMatch(/^refund,order,/);
  });

  test("a download is in the log of acts", async () => {
    await linesOf(`/export.csv?${days}`);
    const [act] = (await merchant.ledger.listActs({ limit: 1 })).rows;
    expect(act).toMatchObject({ act: "export", detail: expect.stringMatching(/^payments, 20/) });
  });
});

describe("the settlement", () => {
  test("the ledger's payments and refunds add up to the service's figures", async () => {
    await createRefundedPayment();
    const page = await textOf(await operator.open(`/operators/settlement?${days}`));
    expect(page).toContain("Paid 25 000 F CFA 25 000 F CFA 0 F CFA");
    expect(page).toContain("Fees −625 F CFA −625 F CFA 0 F CFA");
    expect(page).toContain("Refunds −5 000 F CFA −5 000 F CFA 0 F CFA");
    expect(page).toContain("Net 19 375 F CFA 19 375 F CFA 0 F CFA");
    expect(page).toContain("The figures are equal.");
    expect(page).toContain("1 of 1 payment:");
  });

  test("the settlement's file has a line for each day, with the sums that the page shows", async () => {
    await createRefundedPayment();
    const [head = "", line = "", ...others] = await linesOf(`/export.csv?what=settlement&${days}`);
    expect(head).toBe(
      "day,currency,payments,compared,paid,paid_service,fees,refunded,refunded_service,net,net_service,difference,disputed,mode",
    );
    expect(line).toBe(`${today},XOF,1,1,25000,25000,625,5000,5000,19375,19375,0,0,test`);
    expect(others).toEqual([]);
    Object.assign(merchant.service.transactions[0] ?? {}, { refunded_amount: 4_000 });
    expect((await linesOf(`/export.csv?what=settlement&${days}`))[1]).toMatch(/,5000,4000,19375,20375,-1000,0,test$/);
    expect(await linesOf("/export.csv?what=settlement&from=2020-01-01&until=2020-01-02")).toHaveLength(1);
  });

  test("a day of the settlement's file ends at midnight of the operator's time zone", async () => {
    await createRefundedPayment();
    operator.cookies.set("tillkit_zone", "Pacific%2FKiritimati");
    const tomorrow = new Date(merchant.clock.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    const [, line] = await linesOf(`/export.csv?what=settlement&from=${tomorrow}&until=${tomorrow}`);
    expect(line).toMatch(new RegExp(`^${tomorrow},XOF,1,`));
  });

  test("a disputed amount is subtracted on both sides, because the service's transactions do not show it", async () => {
    const paymentId = await createRefundedPayment();
    const amount = { minor: 20_000, currency: "XOF" };
    await merchant.ledger.commit({ disputes: [{ ...openDispute(paymentId), amount }], timeline: [] });
    const page = await textOf(await operator.open(`/operators/settlement?${days}`));
    expect(page).toContain("Disputed, open or lost −20 000 F CFA −20 000 F CFA 0 F CFA");
    expect(page).toContain("Net −625 F CFA −625 F CFA 0 F CFA");
    expect((await linesOf(`/export.csv?what=settlement&${days}`))[1]).toMatch(/,-625,-625,0,20000,test$/);
  });

  test("a refund that only the service knows is shown as a difference", async () => {
    await createRefundedPayment();
    Object.assign(merchant.service.transactions[0] ?? {}, { refunded_amount: 6_000 });
    const page = await textOf(await operator.open(`/operators/settlement?${days}`));
    expect(page).toContain("Net 19 375 F CFA 18 375 F CFA 1 000 F CFA");
    expect(page).toContain("The figures differ.");
  });

  test("a period without payments and a period that cannot be read are told apart", async () => {
    expect(await textOf(await operator.open(`/operators/settlement?${days}`))).toContain("No payment was received");
    expect((await operator.open("/operators/settlement?from=x")).headers.get("location")).toBe(
      "/operators/live/export",
    );
  });
});

test("a copy of the server gives no file away until a person says that the server moved", async () => {
  const paymentId = await createRefundedPayment();
  const original = { known: ["pay.original.example"], others: [] };
  const stored = await merchant.ledger.records.get("", "installation", "");
  await merchant.ledger.records.put("", "installation", "", original, stored?.version ?? "new");
  for (const file of [`/export.csv?what=payments&${days}`, `/chosen.csv?payment=${paymentId}`]) {
    const answer = await operator.open(`/operators${file}`);
    expect(answer.headers.get("location")).toBe("/operators/test/?problem=installation_unknown");
  }
  expect(await textOf(await operator.open("/operators/test/?problem=installation_unknown"))).toContain(
    "Nothing was done: this looks like a copy of the shop.",
  );
  await operator.submit("/operators", "/installations", { answer: "moved" });
  expect(await linesOf(`/export.csv?what=refunds&${days}`)).toHaveLength(2);
});
