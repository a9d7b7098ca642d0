import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { amount, examplePayment, noon, storePayments } from "./example-ledger.ts";
import { runProgram } from "./program.ts";

let sandbox: Sandbox;
let folder: string;
let ledgerUrl: string;

beforeAll(async () => {
  await buildProgram();
  sandbox = await createSandbox();
  folder = await mkdtemp(join(tmpdir(), "tillkit-questions-"));
  ledgerUrl = `sqlite:${join(folder, "ledger.db")}`;
  const paidSession = await openSession();
  const unpaidSession = await openSession();
  await sandbox.control.paySession(paidSession, { method: "wave", outcome: "completed" });
  const finding = {
    code: "amount_differs",
    expected: amount,
    found: amount,
  } as const;
  const payments = [
    examplePayment({
      id: "held",
      ref: { storeId: "hats", orderId: "7" },
      orderNumber: "1042",
      state: "review",
      finding,
    }),
    examplePayment({ id: "twin-1", ref: { storeId: "hats", orderId: "8" }, orderNumber: "1043", state: "recorded" }),
    examplePayment({ id: "twin-2", ref: { storeId: "shoes", orderId: "9" }, orderNumber: "1043", state: "recorded" }),
    // The service has received this payment, and the ledger does not know it yet.
    examplePayment({
      id: "missed",
      ref: { storeId: "hats", orderId: "10" },
      state: "open",
      session: sessionOf(paidSession),
    }),
    examplePayment({
      id: "unpaid",
      ref: { storeId: "hats", orderId: "11" },
      state: "open",
      session: sessionOf(unpaidSession),
    }),
  ];
  await storePayments(ledgerUrl, payments);
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  runProgram([...args, "--ledger", ledgerUrl], {
    env: { SERVICE_BASE_URL: sandbox.baseUrl, SERVICE_SECRET_KEY: sandbox.keys.test.secret, XDG_CONFIG_HOME: folder },
  });

describe("tillkit explain", () => {
  it("an order is found by the number that the shopper knows, without naming its store", async () => {
    const { code, out } = await run("explain", "1042");
    expect(code).toBe(0);
    expect(out).toContain("The payment page was opened.");
  });

  it("a payment is named by the address of its page, and an order by its number with the sign of its shop", async () => {
    for (const name of ["#1042", "https://shop.example/checkout/operators/payments/held?tab=money", "cs-held"])
      expect((await run("explain", name)).out).toContain("The payment page was opened.");
    for (const name of ["1042", "#1042", "https://pay.example/x/cs-held"])
      expect((await run("payments", "show", name)).out).toContain("Payment held, order 1042");
    expect((await run("payments", "list", "--order", "1043")).out.trim().split("\n")).toHaveLength(3);
    expect(await run("payments", "list", "--state", "revew")).toMatchObject({
      code: 2,
      error: expect.stringContaining("did you mean review?"),
    });
  });

  it("it says when the payment is looked at next, and that no server works where that time is long over", async () => {
    const ledger = await openLedger(ledgerUrl);
    const checkAt = async (paymentId: string, dueAt: number) => {
      const job = { kind: "confirm", storeId: "hats", paymentId, payload: "", dueAt } as const;
      await ledger.commit({ jobs: [job], timeline: [] });
    };
    const soon = Date.UTC(2036, 0, 6, 12);
    await checkAt("missed", soon);
    await checkAt("unpaid", noon);
    await ledger.close();
    expect((await run("explain", "missed")).out).toContain("\n\nNext check: 2036-01-06 12:00:00 UTC.\n");
    expect((await run("explain", "10", "--language", "fr")).out).toContain("Prochaine vérification");
    expect((await run("explain", "unpaid")).out).toContain(
      "A check has been waiting since 2026-01-06 12:00:00 UTC: start the server that works on this ledger.",
    );
    expect((await run("explain", "twin-1")).out).not.toContain("check");
  });

  it("an order number that two stores have is explained only with --store, and the error names the two stores", async () => {
    const ambiguous = await run("explain", "1043");
    expect(ambiguous.code).toBe(2);
    expect(ambiguous.error).toContain("add --store with one of");
    for (const store of ["hats (order 8)", "shoes (order 9)"]) expect(ambiguous.error).toContain(store);
    expect((await run("explain", "1043", "--store", "shoes")).out).toContain("The payment page was opened.");
  });
});

describe("tillkit holds", () => {
  it("a held payment is listed with its order and the reason", async () => {
    const { out } = await run("holds");
    expect(out).toContain("order 1042 of hats");
    // One line names the payment, the other its finding. No other payment is listed.
    expect(out.trim().split("\n")).toHaveLength(2);
    expect(JSON.parse((await run("holds", "--json")).out)).toMatchObject({
      payment: "held",
      finding: "amount_differs",
    });
    expect((await run("holds", "--store", "shoes")).out).toBe("No payment is held.\n");
  });
});

describe("tillkit reconcile --dry-run", () => {
  it("a payment that is paid at the service and open in the ledger is listed, and the ledger is not changed", async () => {
    const { code, out } = await run("reconcile", "--dry-run");
    expect(code).toBe(0);
    expect(out).toContain("payment missed: paid at the service, and the ledger does not know it yet");
    expect(out).not.toContain("payment unpaid");
    expect(out).toContain("Read 2 unsettled payments: 1 difference, 0 could not be read.");
    const ledger = await openLedger(ledgerUrl);
    expect(await ledger.find({ id: "missed" })).toMatchObject({ state: "open", version: 1 });
    await ledger.close();
  });

  it("tillkit reconcile without --dry-run is refused", async () => {
    expect((await run("reconcile")).error).toContain("Add --dry-run");
  });
});

describe("tillkit jobs", () => {
  it("tillkit jobs reports that a ledger has no dead-letter jobs", async () => {
    expect((await run("jobs", "--dead-letter")).out).toBe("There are no dead-letter jobs.\n");
    expect((await run("replay", "--all")).out).toContain("Retried 0 jobs.");
    expect((await run("replay", "job-1")).error).toContain("There is no dead-letter job with the ID job-1");
  });
});

async function openSession(): Promise<string> {
  const response = await fetch(`${sandbox.baseUrl}/v1/checkout-sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": sandbox.keys.test.secret },
    body: JSON.stringify({ amount: amount.minor, currency_code: amount.currency }),
  });
  const { id } = (await response.json()) as { readonly id: string };
  return id;
}

function sessionOf(id: string) {
  return { id, url: `${sandbox.checkoutBaseUrl}/${id}`, expiresAt: noon + 3_600_000 };
}
