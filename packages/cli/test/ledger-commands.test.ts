import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import { type Payment, type PaymentState, systemClock } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tillkit } from "./tillkit.ts";

const DAY_MS = 86_400_000;
const longAgo = systemClock.now() - 200 * DAY_MS;

let folder: string;
let url: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-ledger-"));
  url = `sqlite:${join(folder, "ledger.db")}`;
  await keep("1042", "recorded", longAgo);
  await keep("1043", "open", systemClock.now());
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function keep(orderId: string, state: PaymentState, createdAt: number): Promise<void> {
  const id = `payment-${orderId}`;
  const payment: Payment = {
    id,
    ref: { storeId: "hats", orderId },
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
    amountReceived: null,
    transactionId: `txn_${orderId}`,
    state,
    version: 1,
    checks: 0,
    nextCheckAt: null,
    storeWriteAt: null,
    storeTries: 0,
    storeRetryAt: null,
    continueUrl: null,
    finding: null,
    waiver: null,
  };
  const ledger = await openLedger(url);
  await ledger.commit({ payment: { next: payment, expect: "new" }, timeline: [] });
  await ledger.close();
}

/** A webhook that names a customer, about one of these orders or about nobody's. */
async function hear(customerId: string, orderId: string | null): Promise<void> {
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

/** Work for the open payment that was given up. */
async function park(error: string): Promise<string> {
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

describe("parked work", () => {
  it("is listed with the reason, and replayed by its id", async () => {
    const id = await park("reconnect: The shop refused our connection.");
    const listed = await tillkit("jobs", "--dead", "--ledger", url);
    expect(listed.out).toBe(
      `${id}  confirm  payment payment-1043  given up, tries 1\n  reconnect: The shop refused our connection.\n`,
    );
    expect(await tillkit("replay", id, "--ledger", url)).toMatchObject({
      code: 0,
      out: "Replayed: 1. A running server does it now.\n",
    });
    expect((await tillkit("jobs", "--dead", "--ledger", url)).out).toBe("No work is parked.\n");
    expect((await tillkit("jobs", "--ledger", url)).out).toMatch(new RegExp(`^${id} {2}confirm .*next try`));
  });

  it("is replayed all at once, and told as JSON to programs", async () => {
    await park("unexpected: one");
    await park("unexpected: two");
    const lines = (await tillkit("jobs", "--dead", "--json", "--ledger", url)).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).error)).toEqual(["unexpected: two", "unexpected: one"]);
    expect((await tillkit("replay", "--all", "--ledger", url)).out).toContain("Replayed: 2.");
  });

  it("that is not there is not replayed", async () => {
    const { code, error } = await tillkit("replay", "4711", "--ledger", url);
    expect({ code, error }).toEqual({ code: 1, error: "No parked work has the id 4711: see tillkit jobs --dead.\n" });
  });
});

describe("tillkit export", () => {
  it("writes the bookkeeper's file, and says on the side that fee and net are missing", async () => {
    const { code, out, error } = await tillkit("export", "--ledger", url);
    expect(code).toBe(0);
    const created = new Date(longAgo).toISOString();
    expect(out).toBe(
      [
        "order,payment,transaction,gross,fee,net,currency,state,created,store",
        `1042,payment-1042,txn_1042,50.50,,,EUR,recorded,${created},hats`,
        "",
      ].join("\r\n"),
    );
    expect(error).toContain("Fee and net stay empty");
  });

  it("takes days, the last one included", async () => {
    const day = new Date(longAgo).toISOString().slice(0, 10);
    const before = new Date(longAgo - DAY_MS).toISOString().slice(0, 10);
    const count = async (...args: string[]) =>
      (await tillkit("export", "--ledger", url, ...args)).out.split("\r\n").length;
    expect(await count("--from", day, "--until", day)).toBe(3);
    expect(await count("--until", before)).toBe(2);
  });
});

describe("personal data", () => {
  const stored = async (orderId: string) =>
    (await tillkit("privacy-export", "--store", "hats", "--order", orderId, "--ledger", url)).out;

  it("is written out for the customer who asks for it", async () => {
    expect(JSON.parse(await stored("1042")).payments[0].request).toContain("Awa Diop");
    const { code, error } = await tillkit("privacy-export", "--store", "hats", "--order", "7", "--ledger", url);
    expect({ code, error }).toEqual({ code: 1, error: "Nothing is kept about the order 7 of the store hats.\n" });
  });

  it("of old payments is pruned, and that of open ones stays", async () => {
    const { out } = await tillkit("prune", "--older-than", "90d", "--ledger", url);
    expect(out).toBe("Older than 90 days and pruned: payments 1, webhooks 0.\n");
    expect(await stored("1042")).not.toContain("Awa Diop");
    expect(await stored("1043")).toContain("Awa Diop");
  });

  it("of one order is erased, unless its payment is not finished yet", async () => {
    const erase = (...orders: string[]) =>
      tillkit("erase", "--store", "hats", ...orders.flatMap((order) => ["--order", order]), "--json", "--ledger", url);
    expect(JSON.parse((await erase("1042", "1043")).out)).toEqual({ erased: 1, unfinished: 1 });
    expect(await stored("1042")).not.toContain("Awa Diop");
  });

  describe("of a customer", () => {
    let sandbox: Sandbox;
    let awa: string;
    let ben: string;
    const exported = async (...args: string[]) =>
      JSON.parse((await tillkit("privacy-export", ...args, "--ledger", url)).out).map(
        (order: { ref: { orderId: string } }) => order.ref.orderId,
      );
    beforeEach(async () => {
      sandbox = await createSandbox();
      process.env.SERVICE_SECRET_KEY = sandbox.keys.test.secret;
      const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
      const customer = async (name: string, email: string, phone: string) =>
        (await service.customers.create({ name, email, phone_number: phone })).data.id;
      awa = await customer("Awa Diop", "awa.diop@example.test", "+221770001234");
      ben = await customer("Ben Sow", "ben.awa.diop@example.test", "+221770009999");
      await hear(awa, "1042");
      await hear(ben, "1043");
    });
    afterEach(async () => {
      delete process.env.SERVICE_SECRET_KEY;
      await sandbox.close();
    });

    it.each(["awa.diop@example.test", " Awa.Diop@Example.test", "+221 77 000 12 34", "00221-770001234"])(
      "is found under %j, however it was written, when the service is asked who it is",
      async (written) => {
        expect(await exported("--customer", written, "--service", sandbox.baseUrl)).toEqual(["1042"]);
      },
    );

    it("is found by the id in the service's dashboard, and nobody is asked", async () => {
      await sandbox.close();
      expect(await exported("--customer", awa.toUpperCase())).toEqual(["1042"]);
      expect(await exported("--customer", awa, "--store", "hats")).toEqual(["1042"]);
    });

    it("is erased, and that of others stays", async () => {
      const { code, out } = await tillkit("erase", "--customer", awa, "--ledger", url);
      expect({ code, out }).toEqual({ code: 0, out: "Erased payments: 1.\n" });
      expect(await stored("1042")).not.toContain(awa);
      expect(await stored("1043")).toContain(ben);
      expect((await tillkit("erase", "--customer", awa, "--ledger", url)).out).toBe("Erased payments: 0.\n");
    });

    it("stays while a payment is not finished, and is counted", async () => {
      const { out } = await tillkit("erase", "--customer", ben, "--ledger", url);
      expect(out).toBe("Erased payments: 0. Not finished yet: 1, come again in a few days.\n");
      expect(await stored("1043")).toContain(ben);
    });

    it("in another shop is not looked at when a store is named", async () => {
      const ending = await tillkit("privacy-export", "--customer", awa, "--store", "shoes", "--ledger", url);
      expect(ending).toEqual({ code: 1, out: "", error: "Nothing is kept about them.\n" });
    });

    it("in a webhook of nobody's payment is told, with what takes it away", async () => {
      await hear(awa, null);
      const { error } = await tillkit("erase", "--customer", awa, "--ledger", url);
      expect(error).toContain("belong to no payment here: 1. They go with tillkit prune --older-than 7d.");
      await tillkit("prune", "--older-than", "7d", "--ledger", url);
      expect((await tillkit("erase", "--customer", awa, "--ledger", url)).error).toBe("");
    });

    const unclear: readonly [args: readonly string[], code: number, sentence: string][] = [
      [["770001234"], 2, "a phone number with its country code"],
      [["awa.diop@example.test"], 2, "let the service tell it with --service <url>"],
      [["nobody@example.test", "--service", "sandbox"], 1, "The service knows no such customer"],
    ];
    it.each(unclear)(
      "%j is answered with what to write, and not repeated",
      async ([who = "", ...rest], code, sentence) => {
        const args = rest.map((word) => (word === "sandbox" ? sandbox.baseUrl : word));
        const ending = await tillkit("erase", "--customer", who, ...args, "--ledger", url);
        expect(ending).toEqual({ code, out: "", error: expect.stringContaining(sentence) });
        expect(ending.error).not.toContain(who);
      },
    );

    it("leaves with a whole store's, for a shop that moves away", async () => {
      expect(await exported("--store", "hats")).toEqual(["1043", "1042"]);
    });
  });

  it("of a whole store is not erased by a slip of the hand", async () => {
    const slip = await tillkit("erase", "--store", "hats", "--ledger", url);
    expect(slip.code).toBe(2);
    expect(slip.error).toContain("add --yes");
    const meant = await tillkit("erase", "--store", "hats", "--yes", "--ledger", url);
    expect(meant.out).toBe("Erased payments: 1. Not finished yet: 1, come again in a few days.\n");
  });
});

describe("a command line that was not understood", () => {
  const cases: readonly [args: readonly string[], sentence: string][] = [
    [["jobs"], "Say where payments are kept: --ledger sqlite:/path/to/ledger.db."],
    [["replay", "--ledger", "sqlite:x"], "Say which job, or --all: tillkit replay <job>."],
    [["replay", "4711", "--all"], "Say which job, or --all: tillkit replay <job>."],
    [["prune"], "Say how old: --older-than 90d, 7d at least."],
    [["prune", "--older-than", "1d"], "Say how old: --older-than 90d, 7d at least."],
    [["erase"], "Say which store: --store <store id>, or which --customer."],
    [["erase", "--customer", "awa@example.test", "--order", "1"], "Say either --customer or --order."],
    [["export", "--from", "yesterday"], 'A date is written 2026-01-31, not "yesterday".'],
    [
      ["privacy-export", "--order", "1042"],
      "Say what: --store <store id> with or without --order <order>, or --customer <customer>.",
    ],
  ];

  it.each(cases)("%j is answered with one sentence", async (args, sentence) => {
    expect(await tillkit(...args)).toEqual({ code: 2, out: "", error: `${sentence} See: tillkit --help\n` });
  });
});
