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

const RECONNECT = { code: "reconnect", message: "The shop refused our connection." };

async function addDeadJobs(count: number, error = RECONNECT): Promise<void> {
  merchant.shop.order = { ...shopOrder, ref: { storeId: "boutique", orderId: "of dead jobs" } };
  const { paymentId } = await merchant.startPayment();
  const now = merchant.clock.now();
  const job = { kind: "confirm", storeId: "boutique", paymentId, payload: "", dueAt: now } as const;
  await merchant.ledger.commit({ jobs: Array.from({ length: count }, () => job), timeline: [] });
  const jobs = await merchant.ledger.claim({ worker: "w", now, leaseMs: 60_000, limit: 9 });
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
      expect(answer.headers.get("location"), path).toBe("/operators/test/?problem=viewer");
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
    expect(await readPage(await logIn(OPERATOR_TOKEN), "/acts")).toMatch(/Refunded Kofi 100 F CFA duplicate/);
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

describe("dead-letter jobs", () => {
  test("all dead-letter jobs are retried by one button", async () => {
    await addDeadJobs(3);
    const operator = await logIn(NAMED_TOKEN);
    expect(await readPage(operator, "/dead")).toContain("Reconnect the shop, then retry this job. Due since");
    const answer = await operator.submit("/operators/dead", "/jobs/retry-all");
    expect(answer.headers.get("location")).toBe("/operators/test/dead?done=retried");
    expect((await merchant.ledger.listJobs({ dead: true, limit: 9 })).rows).toEqual([]);
    const again = await operator.post("/operators/jobs/retry-all", { form: await formToken(operator) });
    expect(again.headers.get("location")).toBe("/operators/test/dead?problem=none_retried");
    expect(await readPage(operator, "/dead?problem=none_retried")).toContain("no job can be tried again");
  });

  test("a retry from an old page says that the job is under way, or has ended", async () => {
    await addDeadJobs(1);
    const operator = await logIn(NAMED_TOKEN);
    const [job] = (await merchant.ledger.listJobs({ dead: true, limit: 9 })).rows;
    const form = await formToken(operator);
    const retry = async () =>
      (await operator.post(`/operators/jobs/${job?.id}/retry`, { form })).headers.get("location");
    expect(await retry()).toBe("/operators/test/dead?done=retried");
    expect(await retry()).toBe("/operators/test/dead?problem=job_under_way");
    expect(await readPage(operator, "/dead?problem=job_under_way")).toContain("Nothing was done: this job runs");
    await merchant.ledger.commit({ finished: [job?.id ?? ""], timeline: [] });
    expect(await retry()).toBe("/operators/test/dead?problem=job_gone");
    expect(await readPage(operator, "/dead?problem=job_gone")).toContain("Nothing was done: this job has ended");
  });

  test("a job whose refund only a person can record is never retried, and ends when the operator has recorded it", async () => {
    await addDeadJobs(1, { code: "refund_not_recorded", message: "The shop no longer accepts this refund." });
    const operator = await logIn(NAMED_TOKEN);
    const page = await (await operator.open("/operators/dead")).text();
    expect(page).toContain("Record it in the shop by hand");
    expect(page).not.toContain("/retry");
    const form = await formToken(operator);
    await operator.post("/operators/jobs/retry-all", { form });
    expect((await merchant.ledger.countJobs(merchant.clock.now())).dead).toBe(1);
    const answer = await operator.submit("/operators/dead", "/recorded");
    expect(answer.headers.get("location")).toBe("/operators/test/dead?done=ended");
    expect((await merchant.ledger.countJobs(merchant.clock.now())).dead).toBe(0);
    expect(await readPage(operator, "/acts")).toContain("Recorded a refund in the shop by hand");
  });
});

async function formToken(operator: Operator): Promise<string> {
  return /name="form" value="([^"]+)"/.exec(await (await operator.open("/operators")).text())?.[1] ?? "";
}

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
