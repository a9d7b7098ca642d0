import { join } from "node:path";
import { signWebhook } from "@tillkit/client/webhooks";
import { type Dispute, type Refund, systemClock } from "@tillkit/core";
import { createInstallations } from "@tillkit/core/hosts";
import type { Change } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { createInvitations } from "@tillkit/server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../src/commands/commands.ts";
import { buildProgram } from "./build-program.ts";
import { amount, examplePayment, noon, storeDeadJob, storePayments } from "./example-ledger.ts";
import { readLine } from "./json-line.ts";
import { createMerchantFixture, type MerchantFixture } from "./merchant-fixture.ts";
import { interrupt, linesOf, type RunOptions, runProgram, startProgram } from "./program.ts";

const FINDING = {
  code: "amount_differs",
  expected: amount,
  found: amount,
} as const;
const held = examplePayment({
  id: "held",
  ref: { storeId: "hats", orderId: "7" },
  state: "review",
  amountReceived: amount,
  finding: FINDING,
});
const done = examplePayment({ id: "done", ref: { storeId: "hats", orderId: "8" }, state: "recorded" });

let merchant: MerchantFixture;
beforeAll(async () => {
  await buildProgram();
  merchant = await createMerchantFixture();
  await storePayments(merchant.env.DATABASE_URL, [held, done]);
});
afterEach(() => merchant.sandbox.control.clearFaults());
afterAll(() => merchant.close());

async function saveWebhook(): Promise<readonly string[]> {
  const body = JSON.stringify({ id: "event-1", event: "PAYMENT_SUCCEEDED", data: {} });
  const signature = signWebhook(Buffer.from(body), merchant.env.SERVICE_WEBHOOK_SECRET);
  return [
    "--body",
    await merchant.saveFile("body.json", body),
    "--signature",
    await merchant.saveFile("signature.txt", signature),
  ];
}

const SECRET = "a secret of the tests, 32 characters or more";
const serverConfig = () => ({
  publicUrl: "https://pay.example.com",
  listen: { port: 0 },
  database: `sqlite:${join(merchant.folder, `servers-${Math.random()}.db`)}`,
  keys: [SECRET],
  service: { baseUrl: merchant.sandbox.baseUrl },
});
const wooShop = {
  id: "boutique",
  url: "http://127.0.0.1:9",
  linkSecret: SECRET,
  apiKey: "svc_sk_test_0123456789",
  webhookSecrets: ["whsec_0123456789"],
  currencies: ["XOF"],
};
const shopifyApp = { mode: "order", clientId: "client-of-the-tests", clientSecret: SECRET };

/** One run of a command. */
type Example = {
  /** Prepares what the command needs, and returns its arguments. */
  readonly args?: () => Promise<readonly string[]> | readonly string[];
  /** A part of the first line that the command prints with `--json`. */
  readonly line?: object;
  /** A part of the text that the command prints. */
  readonly text?: string;
  /** The command runs until Ctrl-C, after it printed its first line; `asked` is what it waits for before that. */
  readonly isServer?: true;
  readonly asked?: object;
};

/** The checkout server of PHP shops, of whatever platform. */
const serverOfPhpShop = (file: string): Example => ({
  args: async () => ["serve", "--config", await merchant.saveFile(file, { ...serverConfig(), stores: [wooShop] })],
  isServer: true,
  line: { stores: ["boutique"] },
});

const examples: Readonly<Record<string, Example>> = {
  "new adapter": {
    args: () => [join(merchant.folder, "my-shop"), "--host", "node", "--no-install"],
    text: "npm install",
  },
  sandbox: { isServer: true, line: { keys: { test: { secret: expect.stringMatching(/^svc_sk_test_/) } } } },
  "config init": {
    args: () => ["--sandbox", merchant.sandbox.baseUrl, "--name", "every"],
    line: { name: "every", environment: "test" },
  },
  listen: {
    args: () => ["--forward-to", `${merchant.shopUrl}/hooks`],
    isServer: true,
    line: { ready: true, secret: null },
  },
  trigger: { args: () => ["REFUND_COMPLETED"], line: { event: "REFUND_COMPLETED", refund: expect.any(String) } },
  "session create": { args: () => ["--amount", "5000"], line: { status: "open", amount: 5000, currency: "XOF" } },
  "session pay": { args: async () => [await merchant.openSession()], line: { status: "completed", amount: 5000 } },
  "session fail": { args: async () => [await merchant.openSession()], line: { status: "failed" } },
  "session expire": { args: async () => [await merchant.openSession()], line: { status: "expired" } },
  "session watch": { args: async () => [(await merchant.paySession()).session], line: { status: "completed" } },
  clock: { args: () => ["2h"] },
  fault: { args: () => ["lose-webhook"], line: { fault: "lose-webhook", text: expect.any(String) } },
  chaos: { args: () => ["--seed", "42", "--for", "1s"], line: { chaos: true, seed: "42", forMs: 1000 } },
  open: {
    args: () => ["console"],
    line: { page: "console", opened: false, url: expect.stringMatching(/\/sandbox\/console$/) },
  },
  transactions: {
    args: async () => [(await merchant.paySession()).transaction],
    line: { status: "completed", refunded: 0 },
  },
  "refunds create": {
    args: async () => [(await merchant.paySession()).transaction, "--amount", "2000", "--yes"],
    line: { amount: 2000, currency: "XOF" },
  },
  "refunds list": { args: refundsListArgs, line: { amount: 5000, reason: "broken" } },
  "webhooks create": {
    args: () => ["--url", "https://shop.example/hooks"],
    line: { active: true, environment: "test" },
  },
  "webhooks list": {
    args: () => merchant.addEndpoint().then(() => []),
    line: { events: expect.arrayContaining(["PAYMENT_SUCCEEDED"]) },
  },
  "webhooks update": { args: async () => [await merchant.addEndpoint(), "--off"], line: { active: false } },
  "webhooks test": { args: async () => [await merchant.addEndpoint()], line: { status: 200 } },
  "webhooks rotate": {
    args: async () => [await merchant.addEndpoint(), "--yes"],
    line: { secret: expect.stringMatching(/^whsec_/) },
  },
  "webhooks delete": { args: async () => [await merchant.addEndpoint(), "--yes"], line: { deleted: true } },
  logs: { args: logsArgs, line: { event: "test.webhook", success: true, status: 200 } },
  "events resend": { args: failedLogArgs, line: { status: 200 } },
  verify: { args: saveWebhook, line: { valid: true, event: "PAYMENT_SUCCEEDED", id: "event-1" } },
  audit: { args: auditArgs, line: { addsUp: true, findings: [], environment: "test" } },
  guard: { args: guardArgs, isServer: true, line: { shops: ["orders.csv"] } },
  explain: { args: () => ["8"], line: { entries: [{ at: new Date(noon).toISOString(), actor: expect.any(String) }] } },
  "payments list": {
    args: () => ["--state", "review"],
    line: { payment: "held", state: "review", due: amount },
  },
  "payments show": { args: () => ["done"], line: { payment: "done", available: amount, transaction: null } },
  "payments refund": {
    args: async () => [await storePaidPayment(), "--amount", "2000", ...decided()],
    text: "the refund is completed.",
  },
  "payments name-transaction": {
    args: async () => [await storePaidPayment(), ...decided()],
    text: "No transaction fits",
  },
  "payments settle-refund": {
    args: async () => [await storeDoubt(), "--key", "doubt", "--made", ...decided()],
    text: "the refund is completed.",
  },
  "payments decide-dispute": {
    args: async () => [await storeDispute(), "--dispute", "dispute-1", "--won", ...decided()],
    text: "is recorded as won.",
  },
  holds: { line: { payment: "held", finding: "amount_differs", due: amount, received: amount } },
  reconcile: { args: reconcileArgs, line: { payment: "missed", state: "open" } },
  jobs: {
    args: () => storeDeadJobFor([]),
    line: { kind: "confirm", paymentId: "held", attempts: 1, error: { code: "reconnect" }, readyAt: null },
  },
  replay: { args: () => storeDeadJobFor(["--all"]), line: { retried: true } },
  export: { text: "order,payment,transaction" },
  prune: { args: () => ["--older-than", "90d"], line: { payments: expect.any(Number) } },
  archive: { args: () => ["--older-than", "90d", "--to", merchant.folder], line: { payments: expect.any(Number) } },
  erase: { args: () => ["--store", "hats", "--order", "8"], line: { erased: 1, unfinished: 0 } },
  vacuum: { args: () => [], line: { vacuumed: true } },
  "privacy-export": { args: () => ["--store", "hats", "--order", "7"], text: '"storeId": "hats"' },
  copies: {
    args: async () => [...(await storeCopy()), "--answer", "copy"],
    line: { address: "staging.example", original: "shop.example", storeId: "hats", answer: "copy" },
  },
  woocommerce: serverOfPhpShop("woo.json"),
  prestashop: serverOfPhpShop("presta.json"),
  shopify: {
    args: async () => {
      const config = { ...serverConfig(), secretKeys: [SECRET], app: shopifyApp };
      return ["serve", "--config", await merchant.saveFile("shopify.json", config)];
    },
    isServer: true,
    line: { mode: "order", publicUrl: "https://pay.example.com" },
  },
  invitations: {
    args: async () => ["--withdraw", await storeInvitation(), "--by", "Awa"],
    line: { code: expect.stringMatching(/^[0-9A-F]{5}…$/), shop: null, withdrawn: true },
  },
  doctor: { args: () => ["--server", merchant.shopUrl], line: { check: "address", status: "ok" } },
  mcp: { isServer: true, asked: { jsonrpc: "2.0", id: 1, method: "ping" }, text: '"id":1' },
  completion: { args: () => ["bash"], text: "complete -o default -F _tillkit tillkit" },
};

/** Stores a dead-letter job, with which a command with these arguments works. */
async function storeDeadJobFor(args: readonly string[]): Promise<readonly string[]> {
  await storeDeadJob(merchant.env.DATABASE_URL, held, {
    code: "reconnect",
    message: "The shop refused our connection.",
  });
  return args;
}

async function storeCopy(): Promise<readonly string[]> {
  const ledger = await openLedger(merchant.env.DATABASE_URL);
  const installations = createInstallations(ledger.records, systemClock);
  await installations.originalOf("hats", "https://staging.example", "https://shop.example");
  await ledger.close();
  return ["--address", "staging.example"];
}

async function storeInvitation(): Promise<string> {
  const ledger = await openLedger(merchant.env.DATABASE_URL);
  const code = await createInvitations(ledger.records, systemClock).create();
  await ledger.close();
  return code;
}

/** Decisions leave jobs in their ledger, so they have a ledger of their own. */
const decisionsUrl = () => `${merchant.env.DATABASE_URL}.decisions`;
const decided = () => ["--by", "Adjoua", "--yes", "--ledger", decisionsUrl()];

/** Stores a recorded payment whose transaction the service shows, and returns its ID. */
async function storePaidPayment(): Promise<string> {
  const { session: sessionId, transaction } = await merchant.paySession();
  const session = { id: sessionId, url: `${merchant.sandbox.checkoutBaseUrl}/${sessionId}`, expiresAt: noon };
  const id = `paid-${sessionId}`;
  const next = examplePayment({ id, ref: { storeId: "hats", orderId: sessionId }, state: "recorded", session });
  const facts = {
    id: transaction,
    code: null,
    paymentId: id,
    amount,
    isRead: true,
    evidence: "identity",
    at: noon,
  } as const;
  const ledger = await openLedger(decisionsUrl());
  const payment = { next: { ...next, transactionId: transaction }, expect: "new" } as const;
  await ledger.commit({ payment, transactions: [facts], timeline: [] });
  await ledger.close();
  return id;
}

async function storeDoubt(): Promise<string> {
  const paymentId = await storePaidPayment();
  const ids = { key: "doubt", paymentId, transactionId: "txn", refundId: null, otherKeys: [] };
  const marks = { mark: null, markReadAt: null, unmarkedKey: null, readOnlySince: noon, requestedAt: noon };
  const refund: Refund = { ...ids, ...marks, origin: "tillkit", amount, request: "{}", state: "unknown" };
  await storeMovements({ refunds: [refund] });
  return paymentId;
}

async function storeDispute(): Promise<string> {
  const paymentId = await storePaidPayment();
  const facts = { id: "dispute-1", paymentId, transactionId: null, amount, reason: "", evidenceDueBy: null };
  const dispute: Dispute = { ...facts, status: "closed", outcome: null, openedAt: noon, updatedAt: noon };
  await storeMovements({ disputes: [dispute] });
  return paymentId;
}

async function storeMovements(change: Pick<Change, "refunds" | "disputes">): Promise<void> {
  const ledger = await openLedger(decisionsUrl());
  await ledger.commit({ ...change, timeline: [] });
  await ledger.close();
}

/** An export with one order, which is older than everything at the service. */
async function auditArgs(): Promise<readonly string[]> {
  const file = await merchant.saveFile("orders.csv", "id,created,total,currency\n7,2020-01-31T10:00:00Z,5000,XOF\n");
  return [
    "--orders",
    file,
    "--out",
    join(merchant.folder, "audit"),
    "--store",
    `sqlite:${join(merchant.folder, "audit.db")}`,
  ];
}

async function guardArgs(): Promise<readonly string[]> {
  const [, file = ""] = await auditArgs();
  const { SERVICE_BASE_URL: url, SERVICE_SECRET_KEY: key } = merchant.env;
  const config = {
    service: { url, key },
    shops: [{ platform: "export", file }],
    store: `sqlite:${join(merchant.folder, "guard.db")}`,
    listen: { port: 0 },
  };
  return ["--config", await merchant.saveFile("guard.json", config)];
}

async function refundsListArgs(): Promise<readonly string[]> {
  const { transaction } = await merchant.paySession();
  await merchant.service.refunds.create({ transaction_id: transaction, amount: 5000, reason: "broken" });
  return ["--limit", "1"];
}

async function logsArgs(): Promise<readonly string[]> {
  const endpoint = await merchant.addEndpoint();
  await merchant.service.webhooks.test(endpoint);
  return ["--webhook", endpoint];
}

async function failedLogArgs(): Promise<readonly string[]> {
  const endpoint = await merchant.addEndpoint();
  merchant.shopAnswers.push(400);
  await expect(merchant.service.webhooks.test(endpoint)).rejects.toThrow();
  const { out } = await runProgram(["logs", "--webhook", endpoint, "--failed", "--json"], { env: merchant.env });
  return [String(readLine("logs", out).id)];
}

async function reconcileArgs(): Promise<readonly string[]> {
  const { session: id } = await merchant.paySession();
  const session = { id, url: `${merchant.sandbox.checkoutBaseUrl}/${id}`, expiresAt: noon };
  const ref = { storeId: "shoes", orderId: "9" };
  await storePayments(merchant.env.DATABASE_URL, [examplePayment({ id: "missed", ref, state: "open", session })]);
  return ["--dry-run", "--store", "shoes"];
}

describe("every command of the program", () => {
  it("every command has an example in this file", () => {
    expect(Object.keys(examples)).toEqual(commands.map(({ name }) => name));
  });

  const each = commands.map((command) => [command.name, command] as const);
  it.each(each)("tillkit %s does its work, and with --json prints what its schema promises", async (_name, command) => {
    const { args = () => [], line, text = "", isServer, asked } = examples[command.name] ?? {};
    const printsJson = command.options.json !== undefined;
    const commandLine = [...command.name.split(" "), ...(await args()), ...(printsJson ? ["--json"] : [])];
    const run = isServer ? runUntilReady : runProgram;
    const input = asked === undefined ? "" : `${JSON.stringify(asked)}\n`;
    const { code, out } = await run(commandLine, { env: merchant.env, input });
    expect([code, out]).toEqual([0, expect.stringContaining(text)]);
    if (!printsJson) return;
    // `readLine` throws unless the line has the shape that the command's JSON schema describes.
    const rows = out
      .trim()
      .split("\n")
      .map((printed) => readLine(command.name, printed));
    expect(rows.length).toBeGreaterThan(0);
    if (line) expect(rows[0]).toMatchObject(line);
  });
});

/** Starts a command that runs until Ctrl-C, and stops it once it printed its first line. */
async function runUntilReady(args: readonly string[], options: RunOptions) {
  const child = startProgram(args, options);
  if (options.input) child.stdin?.write(options.input);
  const { value: out } = await linesOf(child).next();
  return { out: String(out), code: await interrupt(child) };
}
