import { money, type Payment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN, type Operator, openDispute, textOf } from "./fixtures/operator.ts";

let merchant: MerchantFixture;
let operator: Operator;
let days: string;
let testId: string;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
  operator = await logInOperator(merchant);
  const today = new Date(merchant.clock.now()).toISOString().slice(0, 10);
  days = `from=${today}&until=${today}`;
  const { paymentId, returnPath } = await merchant.startPayment();
  testId = paymentId;
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

const open = async (path: string) => await operator.open(`/operators${path}`);
const readPage = async (path: string) => await textOf(await open(path));
const linksOf = async (path: string) => [...(await (await open(path)).text()).matchAll(/(?:href|action)="(\/[^"]*)"/g)];

/** The shop goes live: a paid live payment of 77 000 F CFA for the order 2042. */
async function givenLivePayment(): Promise<void> {
  const test = await merchant.ledger.find({ id: testId });
  const amount = money(77_000, "XOF");
  const next: Payment = {
    ...(test as Payment),
    id: "live-payment",
    version: 1,
    environment: "live",
    orderNumber: "2042",
    session: null,
    ref: { storeId: "boutique", orderId: "2042" },
    attempt: "",
    reference: "live",
    transactionId: "t-live",
    amountDue: amount,
    wireAmount: amount.minor,
    amountReceived: amount,
  };
  expect(await merchant.ledger.commit({ payment: { next, expect: "new" }, timeline: [] })).toBe("done");
}

describe("the switch between test and live", () => {
  test("a list, a count and a figure of one mode hold nothing of the other", async () => {
    await givenLivePayment();
    await merchant.ledger.commit({ disputes: [openDispute(testId)], timeline: [] });
    for (const path of ["/payments", "/disputes", ""]) {
      expect(await readPage(`/live${path}`), path).not.toContain("25 000");
      expect(await readPage(`/test${path}`), path).not.toContain("77 000");
    }
    expect(await readPage("/live/payments")).toContain("2042");
    expect(await readPage("/test/payments")).toContain("1042");
    expect(await readPage("/test/disputes")).toContain("1042");
    expect(await readPage("/live")).not.toContain("1 open dispute");
    expect(await readPage("/test")).toContain("1 open dispute");
    expect(await readPage("/test/payments")).toContain("25 000");
    expect(await readPage("/live/payments")).toContain("77 000");
  });

  test("a stopped job of a test payment is marked among those of live payments, because its link leads to the other mode", async () => {
    await givenLivePayment();
    const dueAt = merchant.clock.now();
    for (const paymentId of [testId, "live-payment"]) {
      const job = { kind: "confirm", storeId: "boutique", paymentId, payload: "", dueAt } as const;
      await merchant.ledger.commit({ jobs: [job], timeline: [] });
    }
    const claimed = await merchant.ledger.claim({ worker: "w", now: dueAt, leaseMs: 60_000, limit: 10 });
    const error = { code: "unexpected", message: "The shop answered with a page." } as const;
    await merchant.ledger.commit({ retried: claimed.map(({ id }) => ({ id, dueAt: null, error })), timeline: [] });
    for (const path of ["/live", "/live/dead"]) {
      const page = await readPage(path);
      expect(page).toMatch(/Order 1042 Test boutique Verify the payment, update the shop/);
      expect(page).toMatch(/Order 2042 boutique Verify the payment, update the shop/);
    }
  });

  test("every link and form of a page keeps the mode in the address, but the switch itself", async () => {
    for (const path of ["", "/payments", `/payments/${testId}`, "/disputes", "/export", "/technical"]) {
      const links = (await linksOf(`/test${path}`)).map(([, link = ""]) => link);
      const others = links.filter((link) => !/^\/operators\/test(?:[/?]|$)/.test(link));
      expect(others, path).toEqual([expect.stringMatching(/^\/operators\/live(?:\/|$)/)]);
    }
  });

  test("without a mode in the address, a server with live payments shows these, and one with only test payments shows these", async () => {
    expect(await readPage("/payments")).toContain("1042");
    await givenLivePayment();
    const page = await readPage("/payments");
    expect(page).toContain("2042");
    expect(page).not.toContain("1042");
  });

  test("a payment opens in its own mode, whatever the address says", async () => {
    await givenLivePayment();
    const answer = await open(`/live/payments/${testId}?done=accepted`);
    expect(answer.headers.get("location")).toBe(`/operators/test/payments/${testId}?done=accepted`);
    expect(await linksOf(`/payments/${testId}`)).not.toEqual([]);
    expect(await readPage(`/payments/${testId}`)).toContain("Test mode");
  });

  test("a search finds payments of its mode, and says where the other mode has one", async () => {
    await givenLivePayment();
    const answer = await open("/live/find?q=1042");
    expect(answer.status).toBe(404);
    const page = await answer.text();
    expect(page).toContain('href="/operators/test/find?q=1042"');
    expect(page).not.toContain(testId);
    expect((await open("/live/find?q=2042")).headers.get("location")).toBe("/operators/live/payments/live-payment");
    expect((await open("/live/find?q=nothing")).status).toBe(404);
    expect(await readPage("/live/find?q=nothing")).not.toContain("among the test payments");
  });

  test("a file holds payments of one mode and names it in each line", async () => {
    await givenLivePayment();
    await merchant.ledger.commit({ disputes: [openDispute(testId)], timeline: [] });
    const lines = async (mode: string, what: string) => {
      const text = await (await open(`/${mode}/export.csv?what=${what}&${days}`)).text();
      const [head = "", ...rows] = text.trimEnd().split("\r\n");
      const column = head.split(",").indexOf("mode");
      return rows.map((row) => row.split(",")[column]);
    };
    expect(await lines("live", "payments")).toEqual(["live"]);
    expect(await lines("test", "payments")).toEqual(["test"]);
    expect(await lines("test", "settlement")).toEqual(["test"]);
    expect(await lines("live", "settlement")).toEqual(["live"]);
    expect(await lines("live", "disputes")).toEqual([]);
    expect(await lines("test", "refunds")).toEqual([]);
  });

  test("a settlement adds up the money of one mode", async () => {
    await givenLivePayment();
    expect(await readPage(`/live/settlement?${days}`)).toContain("of 1 payment");
    expect(await readPage(`/test/settlement?${days}`)).toContain("of 1 payment");
  });

  test("after the login, the page that was asked for opens in its mode", async () => {
    const visitor = await logInOperator(merchant);
    visitor.cookies.clear();
    const asked = await visitor.open("/operators/test/payments?state=recorded");
    const login = asked.headers.get("location") ?? "";
    const after = await visitor.submit(login, "/login", { token: OPERATOR_TOKEN });
    expect(after.headers.get("location")).toBe("/operators/test/payments?state=recorded");
  });
});

describe("the address of a form that answered with a page", () => {
  test.each([
    ["/payments/p%2F1/refund/confirm", "/payments/p%2F1/refund"],
    ["/jobs/1/retry", "/dead"],
    ["/jobs/1/recorded", "/dead"],
    ["/jobs/retry-all", "/dead"],
    ["/installations", "/"],
    ["/endpoints/boutique/test", "/endpoints"],
    ["/shops/invite", "/shops"],
    ["/invitations/1/withdraw", "/shops"],
    ["/shops/boutique/suspend", "/shops"],
  ])("the link to the other language at %s leads to the page of the form", async (form, page) => {
    const chosen = await open(`/live${form}?lang=fr`);
    expect(chosen.headers.get("location")).toBe(`/operators/live${form}`);
    const answer = await open(`/live${form}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/operators/live${page}`]);
  });
});
