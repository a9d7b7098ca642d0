import type { Receipt } from "@tillkit/core";
import { expect, it } from "vitest";
import { metadataOf } from "../src/order/settlement.ts";

const TOTAL = { minor: 5_000, currency: "XOF" };
const RECEIPT: Receipt = {
  paymentId: "payment-1",
  ref: { storeId: "shop", orderId: "T_1" },
  attempt: "",
  sessionId: "cs_1",
  transactionId: "txn_1",
  paid: TOTAL,
  total: TOTAL,
  environment: "test",
  fence: 1,
};

it("shoppers and e-mails read in the payment how it was paid, and nothing else of ours", () => {
  expect(metadataOf({ ...RECEIPT, provider: "CARD" }, "fr").public).toEqual({ paidWith: "Carte" });
});

it("a payment of which nobody knows how it was paid has nothing for shoppers", () => {
  expect(metadataOf(RECEIPT, "fr")).toEqual({ tillkitPaymentId: "payment-1", sessionId: "cs_1" });
});

it("a payment of another amount, which the owner accepted, names the amount that arrived", () => {
  expect(metadataOf({ ...RECEIPT, paid: { minor: 4_000, currency: "XOF" } }, "fr").received).toBe("4000");
});
