import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tillkit } from "./tillkit.ts";

const noon = Date.UTC(2026, 0, 6, 12);
const payment: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "payment-1",
  ref: { storeId: "hats", orderId: "0042" },
  orderNumber: "0042",
  attempt: "",
  environment: "test",
  account: null,
  credentialId: "credential-1",
  createdAt: noon,
  amountDue: { minor: 5000, currency: "XOF" },
  wireAmount: 5000,
  request: "{}",
  reference: "payment-1.0123456789abcdef",
  session: { id: "cs_1", url: "https://pay.example/cs_1", expiresAt: noon + 3_600_000 },
  state: "recorded",
};

let folder: string;
let database: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-explain-"));
  database = `sqlite:${join(folder, "ledger.db")}`;
  const ledger = await openLedger(database);
  const steps = [
    { actor: "shopper", kind: "opened", at: noon },
    { actor: "webhook", kind: "paid", at: noon + 61_000 },
    { actor: "store", kind: "recorded", at: noon + 62_500 },
  ] as const;
  const timeline = steps.map((step) => ({ ...step, paymentId: payment.id }));
  await ledger.commit({ payment: { next: payment, expect: "new" }, timeline });
  await ledger.close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("tillkit explain", () => {
  it("tillkit explain prints a headline and the timeline of a payment in UTC", async () => {
    const { code, out } = await tillkit("explain", "payment-1", "--ledger", database);
    expect(code).toBe(0);
    expect(withPlainSpaces(out)).toBe(
      [
        "5 000 F CFA was paid and the order shows it.",
        "",
        "2026-01-06 12:00:00 UTC  Shopper  The payment page was opened.",
        "2026-01-06 12:01:01 UTC  Service  The service confirms the payment.",
        "2026-01-06 12:01:02 UTC  Shop     The order is marked paid.",
        "",
      ].join("\n"),
    );
  });

  it("tillkit explain prints a dispute with its amount, its deadline and that the service holds the amount", async () => {
    const databaseWithDispute = `sqlite:${join(folder, "disputed.db")}`;
    const ledger = await openLedger(databaseWithDispute);
    const claim = { amount: payment.amountDue, reason: "fraudulent", outcome: null, evidenceDueBy: noon } as const;
    const about = { paymentId: payment.id, at: noon, actor: "webhook" } as const;
    const entry = { ...about, kind: "dispute_created", ...claim, status: "pending" } as const;
    await ledger.commit({ payment: { next: payment, expect: "new" }, timeline: [entry] });
    await ledger.close();
    const { out } = await tillkit("explain", "payment-1", "--ledger", databaseWithDispute);
    expect(withPlainSpaces(out)).toContain(
      "Service  The cardholder disputes 5 000 F CFA (payment not recognised): the service holds this amount until the dispute is decided. Send evidence in the service’s dashboard by 6 January 2026 at 12:00 UTC",
    );
  });

  it("tillkit explain finds an order number with leading zeros and answers in French", async () => {
    const { code, out } = await tillkit("explain", "0042", "--store", "hats", "--ledger", database, "--language", "fr");
    expect(code).toBe(0);
    expect(out).toContain("Boutique");
  });

  it("tillkit explain says that no shopper has tried to pay an order", async () => {
    const { code, out } = await tillkit("explain", "43", "--store", "hats", "--ledger", database);
    expect({ code, out }).toEqual({ code: 0, out: "Nobody has tried to pay this order yet.\n" });
  });

  it("tillkit explain asks for the order's ID when several orders of a store have the number", async () => {
    const databaseWithTwoOrders = `sqlite:${join(folder, "two-orders.db")}`;
    const ledger = await openLedger(databaseWithTwoOrders);
    for (const orderId of ["first", "second"]) {
      const next: Payment = { ...payment, id: orderId, ref: { storeId: "hats", orderId }, reference: orderId };
      const session = { ...payment.session, id: `cs_${orderId}` } as Payment["session"];
      await ledger.commit({ payment: { next: { ...next, session }, expect: "new" }, timeline: [] });
    }
    await ledger.close();
    const { code, error } = await tillkit("explain", "0042", "--store", "hats", "--ledger", databaseWithTwoOrders);
    expect(code).toBe(2);
    expect(error).toContain("Several orders of hats have the number 0042: use the ID of one of them: second, first.");
  });

  it("tillkit explain says that a payment is not in the ledger", async () => {
    const { code, error } = await tillkit("explain", "payment-2", "--ledger", database);
    expect({ code, error }).toEqual({ code: 1, error: 'There is no payment "payment-2" in this ledger.\n' });
  });

  it("tillkit explain creates no ledger at a mistyped path", async () => {
    const { code, error } = await tillkit("explain", "payment-1", "--ledger", `sqlite:${join(folder, "leger.db")}`);
    expect(code).toBe(1);
    expect(error).toBe(`There is no ledger at ${join(folder, "leger.db")}: check the path.\n`);
    expect(await readdir(folder)).not.toContain("leger.db");
  });
});

/** Replaces the narrow and no-break spaces of amounts. */
function withPlainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, " ");
}
