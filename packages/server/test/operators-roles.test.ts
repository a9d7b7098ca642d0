import { CheckoutError } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCheckoutServer } from "../src/index.ts";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { createOperator, OPERATOR_TOKEN, type Operator, textOf } from "./fixtures/operator.ts";
import { shopOrder } from "./fixtures/small-shop.ts";

const VIEWER_TOKEN = "the token of a viewer, which is long enough";
const NAMED_TOKEN = "the token of Kofi, which is long enough also";
const tokens = [
  OPERATOR_TOKEN,
  { token: VIEWER_TOKEN, name: "Accountant", role: "viewer" },
  { token: NAMED_TOKEN, name: "Kofi" },
] as const;

let merchant: MerchantFixture;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators: { tokens } } });
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

async function logIn(token: string): Promise<Operator> {
  const operator = createOperator(merchant);
  await operator.submit("/operators/login", "/login", { token });
  return operator;
}

const readPage = async (operator: Operator, path: string) => await textOf(await operator.open(`/operators${path}`));

async function createPaidPayment(): Promise<string> {
  const { paymentId, returnPath } = await merchant.startPayment();
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
  return paymentId;
}

async function addDeadJobs(count: number): Promise<void> {
  merchant.shop.order = { ...shopOrder, ref: { storeId: "boutique", orderId: "of dead jobs" } };
  const { paymentId } = await merchant.startPayment();
  const now = merchant.clock.now();
  const job = { kind: "confirm", storeId: "boutique", paymentId, payload: "", dueAt: now } as const;
  await merchant.ledger.commit({ jobs: Array.from({ length: count }, () => job), timeline: [] });
  const jobs = await merchant.ledger.claim({ worker: "w", now, leaseMs: 60_000, limit: 9 });
  const error = { code: "reconnect", message: "The shop refused our connection." };
  await merchant.ledger.commit({ retried: jobs.map(({ id }) => ({ id, dueAt: null, error })), timeline: [] });
}

describe("a viewer", () => {
  test("a viewer sees every page, and is neither offered nor allowed a decision", async () => {
    const paymentId = await createPaidPayment();
    await addDeadJobs(2);
    const viewer = await logIn(VIEWER_TOKEN);
    for (const path of ["", "/payments", "/refunds", "/dead", "/endpoints", "/acts", "/export"])
      expect((await viewer.open(`/operators${path}`)).status, path).toBe(200);
    expect(await readPage(viewer, `/payments/${paymentId}`)).not.toContain("Refund …");
    expect(await (await viewer.open("/operators/dead")).text()).not.toContain("/retry");
    const form = /name="form" value="([^"]+)"/.exec(await (await viewer.open("/operators")).text())?.[1] ?? "";
    const forms = [
      `/payments/${paymentId}/refund`,
      `/payments/${paymentId}/refund/confirm`,
      "/jobs/1/retry",
      "/jobs/retry-all",
    ];
    for (const path of [...forms, "/endpoints/boutique-test/test"]) {
      const answer = await viewer.post(`/operators${path}`, { form, by: "Adjoua" });
      expect(answer.headers.get("location"), path).toBe("/operators/?problem=viewer");
    }
    expect((await viewer.open(`/operators/payments/${paymentId}/refund`)).headers.get("location")).toMatch(
      /problem=viewer$/,
    );
    expect(await readPage(viewer, "/?problem=viewer")).toContain(
      "Your token can look at everything, and decide nothing.",
    );
    expect((await merchant.ledger.listJobs({ dead: true, limit: 9 })).rows).toHaveLength(2);
  });
});

describe("the log of acts", () => {
  test("every login, refund, retry and logout is logged with who and when, newest first", async () => {
    const paymentId = await createPaidPayment();
    const operator = await logIn(NAMED_TOKEN);
    const fields = { amount: "100", reason: "duplicate" };
    const page = await operator.submit(`/operators/payments/${paymentId}/refund`, "/refund", fields);
    const hidden = [...(await page.text()).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    const values = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]));
    expect(values.by).toBe("Kofi");
    await operator.post(`/operators/payments/${paymentId}/refund/confirm`, { ...values, by: "somebody else" });
    await addDeadJobs(2);
    await operator.submit("/operators/dead", "/jobs/retry-all");
    await operator.submit("/operators", "/logout");
    const { rows } = await merchant.ledger.listActs({ limit: 9 });
    expect(rows.map(({ act, by }) => `${act} by ${by}`)).toEqual([
      "log_out by Kofi",
      "retry_all by Kofi",
      "refund by Kofi",
      "log_in by Kofi",
    ]);
    expect(rows[2]).toMatchObject({ paymentId, detail: expect.stringMatching(/^100.F.CFA duplicate$/) });
    expect(await readPage(await logIn(OPERATOR_TOKEN), "/acts")).toMatch(/Refunded Kofi .* 100 F CFA duplicate/);
  });

  test("a token without a name is logged by the beginning of its fingerprint, and never as it is", async () => {
    await logIn(OPERATOR_TOKEN);
    const [act] = (await merchant.ledger.listActs({ limit: 1 })).rows;
    expect(act?.by).toMatch(/^token [\w-]{6}$/);
    expect(JSON.stringify(act)).not.toContain(OPERATOR_TOKEN);
  });

  test("a form that another site sent is not logged as an act", async () => {
    const operator = await logIn(NAMED_TOKEN);
    await operator.post("/operators/jobs/retry-all", { form: "guessed" });
    expect((await merchant.ledger.listActs({ limit: 9 })).rows.map(({ act }) => act)).toEqual(["log_in"]);
  });
});

describe("dead-letter jobs and endpoints", () => {
  test("all dead-letter jobs are retried by one button", async () => {
    await addDeadJobs(3);
    const operator = await logIn(NAMED_TOKEN);
    expect(await readPage(operator, "/dead")).toContain("Reconnect the shop, then retry this job. due since");
    const answer = await operator.submit("/operators/dead", "/jobs/retry-all");
    expect(answer.headers.get("location")).toBe("/operators/dead?done=retried");
    expect((await merchant.ledger.listJobs({ dead: true, limit: 9 })).rows).toEqual([]);
  });

  test("the test of an endpoint sends a signed event through the public address and finds it in the ledger", async () => {
    const operator = await logIn(NAMED_TOKEN);
    expect(await readPage(operator, "/endpoints")).toContain("boutique-test Last delivery: none among the newest");
    const answer = await operator.submit("/operators/endpoints", "/endpoints/boutique-test/test");
    const page = await textOf(await operator.open(answer.headers.get("location") ?? ""));
    expect(page).toContain("The test event arrived, its signature was valid, and it was stored");
    expect(page).toContain("1 of the newest 500 webhooks");
  });

  test("the test of an endpoint says when the public address does not lead here", async () => {
    await merchant.close();
    merchant = await openMerchant({ options: { operators: { tokens }, publicUrl: "http://127.0.0.1:9" } });
    const operator = await logIn(NAMED_TOKEN);
    const answer = await operator.submit("/operators/endpoints", "/endpoints/boutique-test/test");
    const page = await textOf(await operator.open(answer.headers.get("location") ?? ""));
    expect(page).toContain("The public address of this server did not answer.");
  });
});

test.each([
  [{ token: "short" }, "operators.tokens[0].token is too short"],
  [{ token: NAMED_TOKEN, role: "owner" }, 'operators.tokens[0].role must be "operator" or "viewer".'],
  [{ token: NAMED_TOKEN, name: "awa@example.test" }, "operators.tokens[0].name must have 1 to 60 characters"],
])("a token that is configured wrongly is refused with a sentence: %j", (token, sentence) => {
  const open = () =>
    createCheckoutServer({
      publicUrl: "https://pay.example",
      keys: ["the newest key of this merchant, long enough"],
      ledger: merchant.ledger,
      stores: {},
      credentials: "stored",
      operators: { tokens: [token as never] },
    });
  expect(open).toThrow(CheckoutError);
  expect(open).toThrow(sentence);
});
