import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/fake-woocommerce";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { readLine } from "./json-line.ts";
import { runProgram } from "./program.ts";

let sandbox: Sandbox;
let woo: FakeWooCommerce;
let folder: string;
let order: number;

beforeAll(async () => {
  await buildProgram();
  folder = await mkdtemp(join(tmpdir(), "tillkit-audit-"));
  // Yesterday, so that nothing is under way any more.
  const now = () => Date.now() - 86_400_000;
  sandbox = await createSandbox({ clock: { now } });
  woo = await createFakeWooCommerce({ decimals: 0, rights: "read-only", clock: { now, sleep: async () => undefined } });
  const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  for (const hears of [true, true, false]) {
    const placed = woo.shop.placeOrder({ total: "7500", paymentMethod: "service_gateway" });
    const metadata = { order_id: String(placed.id) };
    const { data } = await service.checkoutSessions.create({
      amount: 7_500,
      currency_code: "XOF",
      title: "A hat",
      metadata,
    });
    const paid = await sandbox.control.paySession(data.id, { method: "wave", outcome: "completed" });
    if (hears) woo.shop.complete(placed, String(paid.transaction_id));
    order = placed.id;
  }
});
afterAll(async () => {
  await sandbox.close();
  await woo.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  runProgram(["audit", "--woocommerce", woo.url, "--store", `sqlite:${join(folder, "audit.db")}`, ...args], {
    env: {
      SERVICE_BASE_URL: sandbox.baseUrl,
      SERVICE_SECRET_KEY: sandbox.keys.test.secret,
      WOOCOMMERCE_KEY: woo.consumerKey,
      WOOCOMMERCE_SECRET: woo.consumerSecret,
      LANG: "fr_CI.UTF-8",
    },
  });

describe("tillkit audit, as an owner runs it", () => {
  it("a difference ends it with code 3, a summary that fits a screen, and a report in the terminal's language", async () => {
    const out = join(folder, "rapport");
    const { code, out: summary } = await run("--out", out);
    expect(code).toBe(3);
    expect(summary.split("\n").length).toBeLessThanOrEqual(24);
    expect(summary).toContain("Payé, mais pas affiché");
    expect((await readdir(out)).sort()).toEqual(["audit.json", "findings.csv", "report.html", "rows.csv"]);
    const report = readFileSync(join(out, "report.html"), "utf8");
    expect(report).toContain(`>${order}</a>`);
    // What the shop knows of its customers is in none of the files.
    for (const name of await readdir(out)) expect(readFileSync(join(out, name), "utf8")).not.toMatch(/awa|diop|\+221/i);
  });

  it("its JSON is what its schema promises, and names the order", async () => {
    const { code, out } = await run("--json", "--out", join(folder, "json"));
    const line = readLine("audit", out.trim());
    expect([code, line.addsUp]).toEqual([3, true]);
    expect(line.findings).toMatchObject([
      { kind: "paid_not_shown", certainty: "certain", orders: [{ id: String(order) }] },
    ]);
  });

  it("a read-only key is enough, and a wrong one is named with its remedy", async () => {
    woo.setRights("orders");
    const wrong = await runProgram(
      ["audit", "--woocommerce", woo.url, "--store", "sqlite::memory:", "--out", join(folder, "no")],
      {
        env: {
          SERVICE_BASE_URL: sandbox.baseUrl,
          SERVICE_SECRET_KEY: sandbox.keys.test.secret,
          WOOCOMMERCE_KEY: "ck_wrong",
          WOOCOMMERCE_SECRET: "cs_wrong",
        },
      },
    );
    expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining("it needs a key that may read orders")]);
    expect(wrong.error).not.toContain("cs_wrong");
  });

  it("without a shop, or without its key, it says what to write", async () => {
    const nothing = await runProgram(["audit"], { env: { SERVICE_BASE_URL: sandbox.baseUrl } });
    expect([nothing.code, nothing.error]).toEqual([2, expect.stringContaining("Say where the orders are")]);
    const keyless = await runProgram(["audit", "--medusa", "https://medusa.example"], {
      env: { SERVICE_BASE_URL: sandbox.baseUrl },
    });
    expect([keyless.code, keyless.error]).toEqual([2, expect.stringContaining("MEDUSA_TOKEN")]);
  });
});
