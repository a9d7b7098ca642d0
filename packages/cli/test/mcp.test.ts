import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { amount, examplePayment, storeDeadJob, storePayments } from "./example-ledger.ts";
import { type McpClient, type Protocol, startMcp } from "./mcp-client.ts";
import { createMerchantFixture, type MerchantFixture } from "./merchant-fixture.ts";
import { runProgram } from "./program.ts";

const LOOKS = ["search_docs", "read_doc"];
const LEDGER = ["explain", "list_holds", "list_jobs", "doctor"];
const SANDBOX = ["create_session", "finish_session", "trigger", "clock", "faults"];

/** What an owner, a shopper or a careless shop may have put into texts. None of it may reach an assistant. */
const PLANTED = [
  "svc_sk_live_4f9a2b7c1d",
  "whsec_9e8d7c6b5a4f",
  "awa.diop@mail.example",
  "+221 77 123 45 67",
  "4242 4242 4242 4242",
  "postgres://shop:hunter2secret@db/shop",
  "d0f1e2d3c4b5a697887766554433221100ffeeddccbbaa99",
];

const held = examplePayment({
  id: "0f0e0d0c-1111-4222-8333-444455556666",
  ref: { storeId: "hats", orderId: "1042" },
  orderNumber: `1042 ${PLANTED.join(" ")}`,
  state: "review",
  amountReceived: amount,
  finding: { code: "amount_differs", expected: amount, found: amount },
});

let merchant: MerchantFixture;
let client: McpClient | null = null;

beforeAll(async () => {
  await buildProgram();
  merchant = await createMerchantFixture();
  await storePayments(merchant.env.DATABASE_URL, [held]);
  await storeDeadJob(merchant.env.DATABASE_URL, held, { code: "refused", message: PLANTED.join(" ") });
});
afterEach(async () => {
  await client?.close();
  client = null;
});
afterAll(() => merchant.close());

async function start(args: readonly string[] = [], env = {}, protocol: Protocol = "older"): Promise<McpClient> {
  client = await startMcp(args, { env: { ...merchant.env, ...env }, protocol });
  return client;
}

describe("tillkit mcp", () => {
  it.each(["older", "newer"] as const)(
    "an assistant that speaks the %s protocol reads why an order is held",
    async (protocol) => {
      const assistant = await start([], {}, protocol);
      expect(await assistant.toolNames()).toEqual([...LOOKS, ...LEDGER, ...SANDBOX]);
      const { rows } = await assistant.ask("list_holds");
      expect(rows).toEqual([expect.objectContaining({ payment: held.id, finding: "amount_differs", due: amount })]);
      const story = await assistant.ask("explain", { id: held.id });
      expect(story.rows).toEqual([expect.objectContaining({ untrusted: { text: "The payment page was opened." } })]);
    },
  );

  it("without a ledger, a server and a sandbox only the documentation is offered", async () => {
    const assistant = await start([], { DATABASE_URL: "", SERVICE_BASE_URL: "" });
    expect(await assistant.toolNames()).toEqual(LOOKS);
  });

  it("no tool and no option refunds, decides, retries or erases", async () => {
    const assistant = await start(["--server", merchant.shopUrl]);
    expect((await assistant.toolNames()).join()).not.toMatch(
      /refund|decide|settle|retry|replay|erase|prune|archive|accept/,
    );
    expect((await runProgram(["mcp", "--help"])).out.match(/--[a-z-]+/g)).toEqual(
      expect.arrayContaining(["--ledger", "--schema", "--server", "--sandbox"]),
    );
    expect((await runProgram(["mcp", "--allow-refunds"], { env: merchant.env })).code).toBe(2);
  });

  it("keys, secrets, addresses, phone and card numbers in shop texts and in the environment never come out", async () => {
    const env = { TILLKIT_KEYS: "a key of this server that is long enough" };
    const assistant = await start(["--server", merchant.shopUrl], env);
    for (const name of LEDGER) await assistant.call(name, { id: held.id });
    for (const secret of PLANTED) await assistant.call("explain", { id: secret });
    for (const name of SANDBOX) await assistant.call(name, { amount: 5000, event: "PAYMENT_SUCCEEDED" });
    const written = assistant.written();
    expect(written).toContain("[email]");
    const secrets = [...PLANTED, "hunter2secret", ...Object.values(merchant.env), ...Object.values(env)].filter(
      (text) => !text.startsWith("http") && !text.startsWith("/"),
    );
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
  });

  it("whatever an assistant sends to the tools that look, every table of the ledger stays as it is", async () => {
    const before = await readTables(merchant.env.DATABASE_URL);
    const assistant = await start(["--server", merchant.shopUrl]);
    const random = createRandom(7);
    for (let round = 0; round < 120; round += 1) {
      const name = random.pick([...LOOKS, ...LEDGER]);
      const input = Object.fromEntries(
        ["id", "store", "limit", "deadLetter", "language", "page", "line", "words"]
          .filter(() => random.below(3) > 0)
          .map((field) => [field, random.pick(WILD)]),
      );
      await assistant.call(name, input);
    }
    await assistant.call("explain", { id: held.id });
    expect(before.size).toBeGreaterThan(10);
    expect(await readTables(merchant.env.DATABASE_URL)).toEqual(before);
  });

  it("an answer has at most 50 rows and 20 kB, and says how many rows were left out", async () => {
    const database = `sqlite:${join(merchant.folder, "many.db")}`;
    const many = Array.from({ length: 60 }, (_, index) =>
      examplePayment({
        ...held,
        id: `payment-${index}`,
        session: { id: `cs-${index}`, url: "https://pay.example/cs_1", expiresAt: held.createdAt },
        ref: { storeId: "hats", orderId: `${index}` },
        orderNumber: "x".repeat(900),
      }),
    );
    await storePayments(database, many);
    const assistant = await start(["--ledger", database]);
    const { content } = await assistant.call("list_holds", { limit: 50 });
    const text = content[0]?.text ?? "";
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    const { rows, leftOut } = JSON.parse(text);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.length + leftOut).toBe(50);
    expect(await assistant.call("list_holds", { limit: 51 })).toMatchObject({ isError: true });
  });

  it("an assistant opens, pays and breaks a sandbox", async () => {
    const assistant = await start();
    const { session, url } = await assistant.ask("create_session", { amount: 5000 });
    expect(url).toContain(merchant.sandbox.checkoutBaseUrl);
    expect(await assistant.ask("finish_session", { session })).toMatchObject({ status: "completed" });
    const { now } = await assistant.ask("clock", { forward: "2h" });
    expect(Date.parse(now)).toBeGreaterThan(Date.now() + 7_000_000);
    expect(await assistant.ask("trigger", { event: "PAYMENT_FAILED" })).toMatchObject({ event: "PAYMENT_FAILED" });
    expect((await assistant.ask("faults", { add: "lose-answer" })).faults).toHaveLength(1);
    expect((await assistant.ask("faults", { off: true })).faults).toEqual([]);
  });

  it("a service that is not on this machine gets no request: its tools are not offered, and a redirect leads nowhere", async () => {
    const remote = await countRequests(200);
    const impostor = await countRequests(307, remote.url);
    const assistant = await start(["--sandbox", impostor.url]);
    for (const name of SANDBOX)
      expect(await assistant.call(name, { amount: 5000, session: held.id, event: "PAYMENT_SUCCEEDED" })).toMatchObject({
        isError: true,
      });
    expect(impostor.count()).toBeGreaterThanOrEqual(SANDBOX.length);
    expect(remote.count()).toBe(0);
    await assistant.close();
    const service = "https://api.service.example";
    expect(await runProgram(["mcp", "--sandbox", service])).toMatchObject({ code: 2 });
    const withService = await start([], { SERVICE_BASE_URL: service });
    expect(await withService.toolNames()).toEqual([...LOOKS, ...LEDGER]);
    await Promise.all([remote.close(), impostor.close()]);
  });

  it("the tools of a session accept the form of a session's ID and nothing else", async () => {
    const assistant = await start();
    for (const session of ["..", "../reset", "cs_1/../../reset", "a".repeat(200), "cs_%2e%2e", 7])
      expect(await assistant.call("finish_session", { session })).toMatchObject({ isError: true });
  });
});

const WILD = [
  held.id,
  "1042",
  "#1042",
  "'; drop table tillkit_payments; --",
  "../../../etc/passwd",
  "http://127.0.0.1:1/operators/payments/1042",
  "index.md",
  "amount_differs",
  "\u0000",
  "é".repeat(400),
  "fr",
  -1,
  0,
  1,
  50,
  1e9,
  true,
  null,
  [],
  { id: 1 },
];

/** The same numbers for the same seed. */
function createRandom(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  return { below, pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item };
}

async function readTables(url: string): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const { db, close } = await openDatabase<{ sqlite_schema: { name: string; type: string } }>(url, { readOnly: true });
  const tables = await db.selectFrom("sqlite_schema").select("name").where("type", "=", "table").execute();
  const found = new Map<string, readonly unknown[]>();
  for (const { name } of tables) found.set(name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows);
  await close();
  return found;
}

async function countRequests(status: number, location = "") {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on("end", () => response.writeHead(status, { location: `${location}${request.url}` }).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url, count: () => requests, close };
}
