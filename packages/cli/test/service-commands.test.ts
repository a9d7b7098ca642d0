import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { examplePayment, noon, storePayments } from "./example-ledger.ts";
import { readLine } from "./json-line.ts";
import { runProgram } from "./program.ts";

let sandbox: Sandbox;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  await buildProgram();
  sandbox = await createSandbox();
  folder = await mkdtemp(join(tmpdir(), "tillkit-service-"));
  env = {
    SERVICE_BASE_URL: sandbox.baseUrl,
    SERVICE_SECRET_KEY: sandbox.keys.test.secret,
    XDG_CONFIG_HOME: folder,
  };
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => runProgram(args, { env });
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).out);

async function paidTransaction(amount = "5000"): Promise<string> {
  const { id } = await json("session", "create", "--amount", amount);
  return (await json("session", "pay", id)).transaction;
}

describe("tillkit session", () => {
  it("a session is opened, declined once, paid, and watched to its end", async () => {
    const created = await run(
      "session",
      "create",
      "--amount",
      "5000",
      "--title",
      "Order 1042",
      "--metadata",
      "order=1042",
    );
    expect(created.code).toBe(0);
    expect(created.out).toContain(`${sandbox.checkoutBaseUrl}/cs_`);
    const [id = ""] = created.out.split(" ");
    expect((await run("session", "fail", id)).out).toMatch(/^The payment of 5000 XOF by card is failed: transaction /);
    expect(await json("session", "pay", id, "--method", "wave")).toMatchObject({ status: "completed", amount: 5000 });
    const watched = await run("session", "watch", id);
    expect(watched.code).toBe(0);
    expect(watched.out).toContain("completed  5000 XOF");
    const again = await run("session", "pay", id);
    expect([again.code, again.error]).toEqual([1, "The checkout session is completed\n"]);
  });

  it("a session is named by its ID, by its code, or by the address of its payment page", async () => {
    const first = await json("session", "create", "--amount", "5000");
    expect((await run("session", "pay", `${first.url}?lang=fr`)).out).toContain("is completed");
    const second = await json("session", "create", "--amount", "5000");
    const [code = ""] = /cs_\w+/.exec(second.url) ?? [];
    expect((await run("session", "expire", code)).code).toBe(0);
  });

  it("with a live key and a service on another machine, a session for real money is opened only after a confirmation", async () => {
    const { code, error } = await runProgram(["session", "create", "--amount", "5000"], {
      env: { ...env, SERVICE_BASE_URL: "https://api.service.example", SERVICE_SECRET_KEY: "svc_sk_live_0123456789" },
    });
    expect(code).toBe(2);
    expect(error).toMatch(
      /^The key is live: whoever opens the page pays real money at api\.service\.example\. Add --yes/,
    );
  });

  it("tillkit session watch ends with exit code 1 when the session expires unpaid", async () => {
    const { id } = await json("session", "create", "--amount", "5000");
    expect((await run("session", "expire", id)).out).toBe(`The session ${id} is expired.\n`);
    const { code, error } = await run("session", "watch", id);
    expect([code, error]).toEqual([1, "The session expired before it was paid.\n"]);
  });

  it("an amount with decimals is refused before anything is opened", async () => {
    const { code, error } = await run("session", "create", "--amount", "12.50");
    expect(code).toBe(2);
    expect(error).toContain("1250 for 12.50 EUR");
  });
});

describe("tillkit transactions and tillkit refunds", () => {
  it("a transaction is found by its status and by its ID", async () => {
    const id = await paidTransaction();
    expect(await json("transactions", id)).toMatchObject({ id, status: "completed", amount: 5000, currency: "XOF" });
    expect((await run("transactions", "--status", "completed")).out).toContain(id);
    expect((await run("transactions", "--status", "failed")).out).not.toContain(id);
  });

  it("no money goes back without a confirmation", async () => {
    const id = await paidTransaction();
    const { code, error } = await run("refunds", "create", id, "--amount", "2000");
    expect(code).toBe(2);
    expect(error).toMatch(
      /^Refund 2000 XOF of the 5000 XOF of transaction txn_\w+ \(the environment test\)\. Add --yes/,
    );
    expect(await json("transactions", id)).toMatchObject({ refunded: 0 });
  });

  it("a refund says in one sentence what happened and is listed", async () => {
    const id = await paidTransaction();
    const { out, error } = await run("refunds", "create", id, "--amount", "2000", "--yes");
    expect(out).toMatch(/^Refunded 2000 XOF \(refund [0-9a-f-]{36}\)\.\n$/);
    expect(error).toMatch(/^Idempotency-Key: tillkit-refund-/);
    expect((await run("refunds", "list")).out).toContain(id);
    const tooMuch = await run("refunds", "create", id, "--amount", "4000", "--yes");
    expect(tooMuch.error).toBe(
      "Of this transaction, 3000 XOF can be refunded (5000 XOF arrived, 2000 XOF returned, 0 XOF on the way back, 0 XOF disputed): nothing was sent.\n",
    );
    expect(await json("refunds", "create", id, "--full", "--yes")).toMatchObject({ amount: 3000, currency: "XOF" });
  });

  it("disputed money is not refunded, also not as the repeat of a refund that was never sent", async () => {
    const endpoint = await json("webhooks", "create", "--url", `${sandbox.baseUrl}/healthz`);
    const id = await paidTransaction();
    const dispute = await sandbox.control.createDispute({ transaction_id: id, amount: 4000, reason: "fraudulent" });
    await expect.poll(async () => (await run("logs")).out).toContain("DISPUTE_CREATED");
    const refused = await run("refunds", "create", id, "--amount", "2000", "--yes");
    expect(refused.error).toContain(
      "1000 XOF can be refunded (5000 XOF arrived, 0 XOF returned, 0 XOF on the way back",
    );
    const repeat = await run("refunds", "create", id, "--amount", "2000", "--idempotency-key", "never-sent", "--yes");
    expect(repeat.error).toContain("4000 XOF disputed): nothing was sent. Refund disputed money in the");
    expect(await json("transactions", id)).toMatchObject({ refunded: 0 });
    await sandbox.control.closeDispute(String(dispute.dispute_id), { outcome: "won" });
    await expect.poll(async () => (await run("logs")).out).toContain("DISPUTE_CLOSED");
    expect(await json("refunds", "create", id, "--full", "--yes")).toMatchObject({ amount: 5000 });
    await run("webhooks", "delete", endpoint.id, "--yes");
  });

  it("a refund that is on its way counts, so no second one takes the same money", async () => {
    const id = await paidTransaction();
    await sandbox.control.changeSettings({ refunds: "pending" });
    await run("refunds", "create", id, "--amount", "4000", "--yes");
    const { error } = await run("refunds", "create", id, "--amount", "2000", "--yes");
    await sandbox.control.changeSettings({ refunds: "instant" });
    expect(error).toContain("1000 XOF can be refunded (5000 XOF arrived, 0 XOF returned, 4000 XOF on the way back");
  });

  it("a transaction whose payment a ledger knows is refunded there, where its order and disputes are known", async () => {
    const id = await paidTransaction();
    const url = `sqlite:${join(folder, "ledger.db")}`;
    const session = { id: (await json("transactions", id)).session, url: "https://pay.example/7", expiresAt: noon };
    const payment = { id: "payment-7", ref: { storeId: "hats", orderId: "7" }, state: "recorded", session } as const;
    await storePayments(url, [examplePayment(payment)]);
    const { code, error } = await run("refunds", "create", id, "--full", "--yes", "--ledger", url);
    expect([code, error]).toEqual([1, expect.stringContaining("with tillkit payments refund payment-7.")]);
    expect(await json("transactions", id)).toMatchObject({ refunded: 0 });
  });

  it("a refund whose answer was lost is repeated under its key and money goes back once", async () => {
    const id = await paidTransaction();
    await sandbox.control.addFault({ method: "POST", path: "/refunds", when: "after", reset: true, times: 20 });
    const lost = await run("refunds", "create", id, "--amount", "2000", "--yes");
    await sandbox.control.clearFaults();
    expect(lost.code).toBe(1);
    const [, key = ""] = /--amount 2000 --idempotency-key (\S+):/.exec(lost.error) ?? [];
    const repeated = await run("refunds", "create", id, "--amount", "2000", "--idempotency-key", key, "--yes");
    expect(repeated.out).toMatch(/^Refunded 2000 XOF/);
    expect(await json("transactions", id)).toMatchObject({ refunded: 2000 });
  });
});

describe("tillkit webhooks, logs and events", () => {
  it("an endpoint is changed, tested, given a new secret and deleted", async () => {
    const { id, secret } = await json("webhooks", "create", "--url", `${sandbox.baseUrl}/healthz`);
    expect((await run("webhooks", "list")).out).toContain(id);
    expect(await json("webhooks", "update", id, "--off")).toMatchObject({ id, active: false });
    expect(await json("webhooks", "update", id, "--on", "--event", "PAYMENT_SUCCEEDED")).toMatchObject({
      active: true,
      events: ["PAYMENT_SUCCEEDED"],
    });
    const rotated = await json("webhooks", "rotate", id, "--yes");
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    const tested = await run("webhooks", "test", id);
    expect(tested.code).toBe(1);
    const [log] = (await run("logs", "--webhook", id, "--json")).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(log).toMatchObject({ webhook: id, event: "test.webhook", success: false });
    expect((await run("logs", "--failed")).out).toContain(log.id);
    expect((await run("webhooks", "delete", id)).code).toBe(2);
    expect((await run("webhooks", "delete", id, "--yes")).out).toBe(`The endpoint ${id} is deleted.\n`);
  });

  it("an event of the sandbox is sent again", async () => {
    await json("trigger", "PAYMENT_SUCCEEDED");
    const [event] = await sandbox.control.listEvents();
    const { code, out } = await run("events", "resend", event?.id ?? "");
    expect([code, out]).toEqual([0, "The event is sent again to 0 endpoints.\n"]);
    const { out: line } = await run("events", "resend", event?.id ?? "", "--json");
    expect(readLine("events resend", line)).toEqual({ id: event?.id, endpoints: 0 });
  });
});
