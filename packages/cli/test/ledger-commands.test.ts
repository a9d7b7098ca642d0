import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createServiceClient } from "@tillkit/client";
import { type JobError, type Payment, type PaymentState, systemClock } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tillkit } from "./tillkit.ts";

const DAY_MS = 86_400_000;
/** Long enough ago that `tillkit prune --older-than 90d` removes it. */
const longAgo = systemClock.now() - 200 * DAY_MS;

let folder: string;
let url: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-ledger-"));
  url = `sqlite:${join(folder, "ledger.db")}`;
  await storePayment("1042", "recorded", longAgo);
  await storePayment("1043", "open", systemClock.now());
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function storePayment(orderId: string, state: PaymentState, createdAt: number): Promise<void> {
  const id = `payment-${orderId}`;
  const payment: Payment = {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref: { storeId: "hats", orderId },
    orderNumber: orderId,
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "credential-1",
    createdAt,
    amountDue: { minor: 5_050, currency: "EUR" },
    wireAmount: 5_050,
    request: '{"title":"A hat for Awa Diop"}',
    reference: `${id}.0123456789abcdef`,
    session: { id: `cs_${orderId}`, url: `https://pay.example/${orderId}`, expiresAt: createdAt + 3_600_000 },
    transactionId: `txn_${orderId}`,
    state,
  };
  const ledger = await openLedger(url);
  await ledger.commit({ payment: { next: payment, expect: "new" }, timeline: [] });
  await ledger.close();
}

/** Stores a processed webhook that names a customer and belongs to a payment of this order, or with null to no payment. */
async function storeWebhook(customerId: string, orderId: string | null): Promise<void> {
  const ledger = await openLedger(url);
  const bytes = new TextEncoder().encode(
    JSON.stringify({ event: "PAYMENT_SUCCEEDED", data: { customer_id: customerId, description: `Order ${orderId}` } }),
  );
  const digest = `${orderId} ${customerId}`;
  await ledger.receive([{ endpointId: "endpoint-1", digest, bytes, receivedAt: longAgo }]);
  const paymentId = orderId === null ? null : `payment-${orderId}`;
  const outcome = orderId === null ? "unrelated" : "processed";
  const jobs = await ledger.claim({ worker: "w", now: systemClock.now(), leaseMs: 1_000, limit: 9 });
  const processed = [{ endpointId: "endpoint-1", digest, outcome, paymentId, processedAt: longAgo }] as const;
  await ledger.commit({ processed, finished: jobs.map(({ id }) => id), timeline: [] });
  await ledger.close();
}

/** Stores a dead-letter job of the open payment. */
async function storeDeadJob(error: JobError): Promise<string> {
  const ledger = await openLedger(url);
  const dueAt = systemClock.now();
  const job = { kind: "confirm", storeId: "hats", paymentId: "payment-1043", payload: "", dueAt } as const;
  await ledger.commit({ jobs: [job], timeline: [] });
  const [claimed] = await ledger.claim({ worker: "w", now: dueAt, leaseMs: 1_000, limit: 1 });
  const id = claimed?.id ?? "";
  await ledger.commit({ retried: [{ id, dueAt: null, error }], timeline: [] });
  await ledger.close();
  return id;
}

describe("commands that only read a ledger", () => {
  it.each([
    [["explain", "1042"]],
    [["holds"]],
    [["jobs"]],
    [["export"]],
    [["payments", "show", "payment-1042"]],
    [["privacy-export", "--store", "hats"]],
  ])("tillkit %j brings no tables of an older version forward: its server may be running", async (command) => {
    const older = `sqlite:${join(folder, "older.db")}`;
    await (await openDatabase<object>(older)).close();
    const { code, error } = await tillkit(...command, "--ledger", older);
    expect([code, error]).toEqual([1, expect.stringContaining("start the server of this version once")]);
    const { db, close } = await openDatabase<object>(older);
    expect((await sql`select name from sqlite_schema`.execute(db)).rows).toEqual([]);
    await close();
  });
});

describe("tillkit holds", () => {
  it("a duplicate is held money too, because its shopper waits for a decision", async () => {
    expect((await tillkit("holds", "--ledger", url)).out).toBe("No payment is held.\n");
    await storePayment("1044", "duplicate", systemClock.now());
    const { out } = await tillkit("holds", "--ledger", url);
    expect(out).toMatch(/order 1044 of hats .*payment payment-1044\n {2}Another payment counts for this order\.\n$/);
  });
});

describe("dead-letter jobs", () => {
  it("a dead-letter job is listed with its error and retried by its id", async () => {
    const id = await storeDeadJob({ code: "reconnect", message: "The shop refused our connection." });
    const listed = await tillkit("jobs", "--dead-letter", "--ledger", url);
    expect(listed.out).toBe(
      `${id}  confirm  payment payment-1043  dead letter, 1 attempt\n  reconnect: The shop refused our connection.\n`,
    );
    expect(await tillkit("replay", id, "--ledger", url)).toMatchObject({
      code: 0,
      out: "Retried 1 job. A running server executes retried jobs.\n",
    });
    expect((await tillkit("jobs", "--dead-letter", "--ledger", url)).out).toBe("There are no dead-letter jobs.\n");
    expect((await tillkit("jobs", "--ledger", url)).out).toMatch(new RegExp(`^${id} {2}confirm .*next attempt`));
  });

  it("all dead-letter jobs are listed as JSON and retried at once", async () => {
    await storeDeadJob({ code: "unexpected", message: "one" });
    await storeDeadJob({ code: "unexpected", message: "two" });
    const lines = (await tillkit("jobs", "--dead-letter", "--json", "--ledger", url)).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).error)).toEqual([
      { code: "unexpected", message: "two" },
      { code: "unexpected", message: "one" },
    ]);
    expect((await tillkit("replay", "--all", "--ledger", url)).out).toContain("Retried 2 jobs.");
  });

  it("a job whose refund a person records by hand is not retried, and ends when they say so", async () => {
    const id = await storeDeadJob({ code: "refund_not_recorded", message: "The shop no longer accepts it." });
    const other = await storeDeadJob({ code: "unexpected", message: "one" });
    const refused = await tillkit("replay", id, "--ledger", url);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain(`another attempt of job ${id} cannot help`);
    expect((await tillkit("replay", other, "--recorded", "--ledger", url)).error).toContain("can be tried again");
    expect((await tillkit("replay", "--all", "--ledger", url)).out).toMatch(
      /^Retried 1 job\..* 1 job cannot be retried/,
    );
    const ended = await tillkit("replay", id, "--recorded", "--by", "Adjoua", "--ledger", url);
    expect(ended.out).toContain("The job is ended");
    const ledger = await openLedger(url);
    const acts = (await ledger.listActs({ limit: 9 })).rows;
    await ledger.close();
    expect(acts[0]).toMatchObject({ by: "Adjoua", act: "recorded_by_hand", detail: id });
    expect(acts.map(({ act }) => act)).toEqual(["recorded_by_hand", "retry_all", "recorded_by_hand", "retry"]);
    expect((await tillkit("jobs", "--dead-letter", "--ledger", url)).out).toBe("There are no dead-letter jobs.\n");
  });

  it("tillkit replay says that a job runs by itself, and does not count it as retried", async () => {
    const id = await storeDeadJob({ code: "unexpected", message: "one" });
    await tillkit("replay", id, "--ledger", url);
    expect(await tillkit("replay", id, "--ledger", url)).toMatchObject({
      code: 1,
      error: `Nothing was done: job ${id} runs already, or will run by itself.\n`,
    });
  });

  it("tillkit replay says that a dead-letter job does not exist", async () => {
    const { code, error } = await tillkit("replay", "4711", "--ledger", url);
    expect({ code, error }).toEqual({
      code: 1,
      error: "There is no dead-letter job with the ID 4711: see tillkit jobs --dead-letter.\n",
    });
  });
});

describe("tillkit export", () => {
  it("tillkit export writes a CSV file and warns that fee and net are missing", async () => {
    const { code, out, error } = await tillkit("export", "--ledger", url);
    expect(code).toBe(0);
    const created = new Date(longAgo).toISOString();
    expect(out).toBe(
      [
        "order,payment,transaction,gross,fee,net,currency,state,created,store,returned,leaving,disputed,available,mode",
        `1042,payment-1042,txn_1042,50.50,,,EUR,recorded,${created},hats,0.00,0.00,0.00,50.50,test`,
        "",
      ].join("\r\n"),
    );
    expect(error).toContain("fee and net stay empty");
  });

  it("tillkit export --until includes its day", async () => {
    const day = new Date(longAgo).toISOString().slice(0, 10);
    const before = new Date(longAgo - DAY_MS).toISOString().slice(0, 10);
    const exportedPayments = async (...args: string[]) => {
      const [_columnNames, ...rows] = (await tillkit("export", "--ledger", url, ...args)).out.trim().split("\r\n");
      return rows.length;
    };
    expect(await exportedPayments("--from", day, "--until", day)).toBe(1);
    expect(await exportedPayments("--until", before)).toBe(0);
  });
});

describe("personal data", () => {
  const exportedText = async (orderId: string) =>
    (await tillkit("privacy-export", "--store", "hats", "--order", orderId, "--ledger", url)).out;

  it("tillkit privacy-export writes the personal data of an order", async () => {
    expect(JSON.parse(await exportedText("1042")).payments[0].request).toContain("Awa Diop");
    const { code, error } = await tillkit("privacy-export", "--store", "hats", "--order", "7", "--ledger", url);
    expect({ code, error }).toEqual({
      code: 1,
      error: "The ledger has no data about the order 7 of the store hats.\n",
    });
  });

  it("tillkit prune removes personal data of old payments and keeps the data of open payments", async () => {
    const { out } = await tillkit("prune", "--older-than", "90d", "--ledger", url);
    expect(out).toBe("Pruned 1 payment and 0 webhooks older than 90 days.\n");
    expect(await exportedText("1042")).not.toContain("Awa Diop");
    expect(await exportedText("1043")).toContain("Awa Diop");
  });

  it("tillkit archive moves webhooks and timelines of old payments to a file and keeps what is open", async () => {
    await storeWebhook("customer-1", "1042");
    const ledger = await openLedger(url);
    for (const [order, kind] of [
      ["1042", "recorded"],
      ["1043", "opened"],
    ] as const) {
      const entry = { paymentId: `payment-${order}`, at: longAgo, actor: "timer", kind } as const;
      await ledger.commit({ timeline: [entry] });
    }
    await ledger.close();
    const archive = (...args: string[]) => tillkit("archive", "--older-than", "90d", "--ledger", url, ...args);
    const { out } = await archive("--to", folder);
    const [file = ""] = /[^ ]*\.jsonl\.gz/.exec(out) ?? [];
    expect(out).toBe(`Archived 1 webhook and 1 timeline row of 1 payment older than 90 days in ${file}.\n`);
    const archived = JSON.parse(gunzipSync(await readFile(file)).toString());
    expect(archived).toMatchObject({ paymentId: "payment-1042", ref: { storeId: "hats", orderId: "1042" } });
    expect((await tillkit("explain", "payment-1042", "--ledger", url)).out).toContain(
      "Everything before this was archived",
    );
    expect((await tillkit("explain", "payment-1043", "--ledger", url)).out).toContain("The payment page was opened.");
    expect((await archive("--to", folder)).out).toBe("There was nothing to archive that is older than 90 days.\n");
    const nothing = { payments: 0, deliveries: 0, timelineEntries: 0, file: null };
    expect(JSON.parse((await archive("--to", folder, "--json")).out)).toEqual(nothing);
  });

  it("tillkit erase erases every named order whose payment is finished", async () => {
    const erase = (...orders: string[]) =>
      tillkit("erase", "--store", "hats", ...orders.flatMap((order) => ["--order", order]), "--json", "--ledger", url);
    expect(JSON.parse((await erase("1042", "1043")).out)).toEqual({ erased: 1, unfinished: 1 });
    expect(await exportedText("1042")).not.toContain("Awa Diop");
  });

  describe("of a customer", () => {
    let sandbox: Sandbox;
    let awa: string;
    let ben: string;
    const exportedOrderIds = async (...args: string[]) =>
      JSON.parse((await tillkit("privacy-export", ...args, "--ledger", url)).out).map(
        (order: { ref: { orderId: string } }) => order.ref.orderId,
      );
    beforeEach(async () => {
      sandbox = await createSandbox();
      process.env.SERVICE_SECRET_KEY = sandbox.keys.test.secret;
      const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
      const createCustomer = async (name: string, email: string, phone: string) =>
        (await service.customers.create({ name, email, phone_number: phone })).data.id;
      awa = await createCustomer("Awa Diop", "awa.diop@example.test", "+221770001234");
      // The address contains Awa's, and still belongs to another customer.
      ben = await createCustomer("Ben Sow", "ben.awa.diop@example.test", "+221770009999");
      await storeWebhook(awa, "1042");
      await storeWebhook(ben, "1043");
    });
    afterEach(async () => {
      delete process.env.SERVICE_SECRET_KEY;
      await sandbox.close();
    });

    it.each(["awa.diop@example.test", " Awa.Diop@Example.test", "+221 77 000 12 34", "00221-770001234"])(
      "a customer written as %j is looked up at the service",
      async (written) => {
        expect(await exportedOrderIds("--customer", written, "--service", sandbox.baseUrl)).toEqual(["1042"]);
      },
    );

    it("a customer id is found without asking the service", async () => {
      await sandbox.close();
      expect(await exportedOrderIds("--customer", awa.toUpperCase())).toEqual(["1042"]);
      expect(await exportedOrderIds("--customer", awa, "--store", "hats")).toEqual(["1042"]);
    });

    it("tillkit erase --customer erases the customer's data and keeps the data of other customers", async () => {
      const { code, out } = await tillkit("erase", "--customer", awa, "--ledger", url);
      expect({ code, out }).toEqual({ code: 0, out: "Erased 1 payment.\n" });
      expect(await exportedText("1042")).not.toContain(awa);
      expect(await exportedText("1043")).toContain(ben);
      expect((await tillkit("erase", "--customer", awa, "--ledger", url)).out).toBe("Erased 0 payments.\n");
    });

    it("tillkit erase --customer keeps and counts unfinished payments", async () => {
      const { out } = await tillkit("erase", "--customer", ben, "--ledger", url);
      expect(out).toBe(
        "Erased 0 payments. 1 unfinished payment was not erased. Run the command again in a few days.\n",
      );
      expect(await exportedText("1043")).toContain(ben);
    });

    it("a customer is looked for only in the named store", async () => {
      const result = await tillkit("privacy-export", "--customer", awa, "--store", "shoes", "--ledger", url);
      expect(result).toEqual({ code: 1, out: "", error: "The ledger has no data about these orders.\n" });
    });

    it("a customer's webhook without a payment is reported, with the command that removes it", async () => {
      await storeWebhook(awa, null);
      const { error } = await tillkit("erase", "--customer", awa, "--ledger", url);
      expect(error).toContain(
        "1 webhook for this customer matches no payment in this ledger. `tillkit prune --older-than 7d` removes",
      );
      await tillkit("prune", "--older-than", "7d", "--ledger", url);
      expect((await tillkit("erase", "--customer", awa, "--ledger", url)).error).toBe("");
    });

    const invalidCustomers: readonly [args: readonly string[], code: number, sentence: string][] = [
      [["770001234"], 2, "a phone number with its country code"],
      [["awa.diop@example.test"], 2, "needs --service <url> and SERVICE_SECRET_KEY"],
      [["nobody@example.test", "--service", "sandbox"], 1, "The service does not know this customer"],
    ];
    it.each(invalidCustomers)(
      "a customer given as %j, who cannot be looked up, gets an error that says what to write and does not repeat the input",
      async ([customer = "", ...rest], code, sentence) => {
        const args = rest.map((word) => (word === "sandbox" ? sandbox.baseUrl : word));
        const result = await tillkit("erase", "--customer", customer, ...args, "--ledger", url);
        expect(result).toEqual({ code, out: "", error: expect.stringContaining(sentence) });
        expect(result.error).not.toContain(customer);
      },
    );

    it("tillkit privacy-export --store writes all orders of a store", async () => {
      expect(await exportedOrderIds("--store", "hats")).toEqual(["1043", "1042"]);
    });
  });

  it("tillkit erase removes a whole store only with --yes", async () => {
    const withoutYes = await tillkit("erase", "--store", "hats", "--ledger", url);
    expect(withoutYes.code).toBe(2);
    expect(withoutYes.error).toContain("add --yes");
    const withYes = await tillkit("erase", "--store", "hats", "--yes", "--ledger", url);
    expect(withYes.out).toBe(
      "Erased 1 payment. 1 unfinished payment was not erased. Run the command again in a few days.\n",
    );
  });
});

describe("an invalid command line", () => {
  const cases: readonly [args: readonly string[], sentence: string][] = [
    [["jobs"], "The address of the ledger is missing: --ledger sqlite:/path/to/ledger.db."],
    [["replay", "--ledger", "sqlite:x"], "Name one job, or use --all: tillkit replay <job>."],
    [["replay", "4711", "--all"], "Name one job, or use --all: tillkit replay <job>."],
    [["prune"], "The option --older-than needs an age in days, such as 90d, at least 7d."],
    [
      ["archive", "--older-than", "7d", "--to", "."],
      "The option --older-than needs an age in days, such as 90d, at least 30d.",
    ],
    [["archive", "--older-than", "90d"], "The option --to <folder> is required."],
    [["prune", "--older-than", "1d"], "The option --older-than needs an age in days, such as 90d, at least 7d."],
    [["erase"], "The option --store <store id> or --customer <customer> is required."],
    [["erase", "--customer", "awa@example.test", "--order", "1"], "Use either --customer or --order, not both."],
    [["export", "--from", "yesterday"], 'A date must look like 2026-01-31, not "yesterday".'],
    [
      ["privacy-export", "--order", "1042"],
      "The option --store <store id>, with or without --order <order>, or --customer <customer> is required.",
    ],
  ];

  it.each(cases)("the invalid command line %j gets one sentence", async (args, sentence) => {
    const { code, out, error } = await tillkit(...args);
    expect([code, out, error.split("\n")[0]]).toEqual([2, "", sentence]);
  });
});
