import type { Payment } from "@tillkit/core";
import type { Service, TransactionReading } from "@tillkit/core/hosts";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { expect, test } from "vitest";
import { createFees } from "../src/index.ts";

const NOON = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;

function paymentOf(number: number, transactionId: string | null): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id: `payment-${number}`,
    ref: { storeId: "boutique", orderId: String(number) },
    orderNumber: String(number),
    attempt: "",
    environment: "live",
    account: null,
    credentialId: "credential-1",
    createdAt: NOON,
    amountDue: { minor: 5_000, currency: "XOF" },
    wireAmount: 5_000,
    request: "{}",
    reference: `payment-${number}.0123456789abcdef`,
    session: null,
    transactionId,
    state: "recorded",
  };
}

type ListedTransaction = TransactionReading & { readonly at: number };

/** A completed transaction of 5,000 F CFA that began at `at`. */
function transaction({
  id,
  at,
  fee,
  reference,
}: {
  readonly id: string;
  readonly at: number;
  readonly fee: number;
  readonly reference?: string;
}): ListedTransaction {
  return {
    id,
    at,
    status: "completed",
    wireAmount: 5_000,
    feeAmount: fee,
    netAmount: 5_000 - fee,
    reference,
  } as ListedTransaction;
}

/** Serves these transactions and notes each call. */
function serviceOf(transactions: readonly ListedTransaction[]) {
  const calls: string[] = [];
  const service = {
    async *listTransactions({ from, until = Number.POSITIVE_INFINITY }: { from: number; until?: number }) {
      calls.push(`list ${(until - from) / HOUR} h`);
      yield* transactions.filter(({ at }) => at >= from && at < until);
    },
    async readTransaction({ id }: { id: string }) {
      calls.push(`read ${id}`);
      return transactions.find((listed) => listed.id === id) ?? null;
    },
  };
  const fees = createFees({ service: async () => service as unknown as Service });
  return { calls, fees };
}

test("a late payment whose transaction is known is read by its id, without listing three days of a busy shop", async () => {
  const { calls, fees } = serviceOf([
    transaction({ id: "txn_1", at: NOON + HOUR, fee: 100 }),
    transaction({ id: "txn_late", at: NOON + 30 * HOUR, fee: 200 }),
  ]);
  const amounts = await fees([paymentOf(1, "txn_1"), paymentOf(2, "txn_late"), paymentOf(3, "txn_unknown")]);
  expect([...amounts.values()].map(({ fee }) => fee)).toEqual([100, 200]);
  expect(calls).toEqual(["list 2 h", "read txn_late", "read txn_unknown"]);
});

test("a late payment whose transaction is not known yet is found in the list by its reference", async () => {
  const payment = paymentOf(1, null);
  const { calls, fees } = serviceOf([
    transaction({ id: "txn_late", at: NOON + 30 * HOUR, fee: 200, reference: payment.reference }),
  ]);
  expect((await fees([payment])).get(payment.id)).toMatchObject({ transactionId: "txn_late", fee: 200 });
  expect(calls).toEqual(["list 2 h", "list 72 h"]);
});

test("many late transactions are listed, because reading each transaction would take longer", async () => {
  const payments = Array.from({ length: 30 }, (_, index) => paymentOf(index, `txn_${index}`));
  const { calls, fees } = serviceOf(
    payments.map((_, index) => transaction({ id: `txn_${index}`, at: NOON + 5 * HOUR, fee: index })),
  );
  expect((await fees(payments)).size).toBe(30);
  expect(calls).toEqual(["list 2 h", "list 72 h"]);
});

test("the fees of payments whose sessions name their transactions by a code are found in the list, however many they are", async () => {
  const numbers = Array.from({ length: 25 }, (_, index) => index);
  const { fees, calls } = serviceOf(
    numbers.map((number) => ({ ...transaction({ id: `id-${number}`, at: NOON, fee: number }), code: `txn_${number}` })),
  );
  const found = await fees(numbers.map((number) => paymentOf(number, `txn_${number}`)));
  expect(numbers.map((number) => found.get(`payment-${number}`)?.fee)).toEqual(numbers);
  expect(calls).toEqual(["list 2 h"]);
});

test("no amount is too large to be compared", async () => {
  const minor = 81_684_941_812;
  const amounts = { wireAmount: minor, feeAmount: 31_838_517_425, netAmount: minor - 31_838_517_425 };
  const { fees } = serviceOf([{ ...transaction({ id: "txn_1", at: NOON, fee: 0 }), ...amounts }]);
  const payment = { ...paymentOf(1, "txn_1"), amountDue: { minor, currency: "XOF" }, wireAmount: minor };
  expect((await fees([payment])).get("payment-1")).toMatchObject({
    gross: minor,
    fee: amounts.feeAmount,
    net: amounts.netAmount,
  });
});

test("a transaction is the payment's only by the rule that marks orders paid", async () => {
  const payment = { ...paymentOf(1, null), session: { id: "cs_1", url: "https://pay.example", expiresAt: NOON } };
  const row = { ...transaction({ id: "txn_1", at: NOON, fee: 100, reference: payment.reference }) };
  const feeOf = async (changed: Partial<TransactionReading>) => {
    const found = await serviceOf([{ ...row, ...changed }]).fees([payment]);
    return found.get(payment.id)?.fee;
  };
  expect(await feeOf({})).toBe(100);
  expect(await feeOf({ sessionId: "cs_1", reference: undefined })).toBe(100);
  expect(await feeOf({ sessionId: "cs_of_another_payment" })).toBeUndefined();
  expect(await feeOf({ status: "on_hold" })).toBeUndefined();
  expect(await feeOf({ status: "refunded" })).toBe(100);
});

test("a payment that names its transaction by the short code has its fee", async () => {
  const listed = { ...transaction({ id: "0192-uuid", at: NOON, fee: 100 }), code: "txn_Ab1" };
  expect((await serviceOf([listed]).fees([paymentOf(1, "TXN_AB1")])).get("payment-1")).toMatchObject({ fee: 100 });
});

test("the fee of a payment in whole dollars has its cents in the file", async () => {
  const payment = { ...paymentOf(1, "txn_1"), amountDue: { minor: 1_000, currency: "USD" }, wireAmount: 10 };
  const row = { ...transaction({ id: "txn_1", at: NOON, fee: 0.57 }), wireAmount: 10, netAmount: 9.43 };
  expect((await serviceOf([row]).fees([payment])).get(payment.id)).toMatchObject({ gross: 1_000, fee: 57, net: 943 });
});
