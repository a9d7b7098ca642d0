import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { audit, type Facts, renderReport } from "@tillkit/audit";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkPage, openBrowser, openDesktop, openPhone, whyNoBrowser } from "./phone.ts";

const skipReason = whyNoBrowser();
const title = `The report of an audit${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const UNTIL = Date.UTC(2026, 1, 1);
const DAYS = 31;

type Order = Facts["orders"][number];

function orderOf(number: number, change: Partial<Order>): Order {
  const at = FROM + (number % DAYS) * DAY + 36_000_000;
  return {
    shop: "chez-awa.example",
    id: String(number),
    number: String(number),
    createdAt: at,
    changedAt: at,
    paidAt: at + 60_000,
    state: "paid",
    total: { minor: 3_000 + ((number * 7_919) % 22_000), currency: "XOF" },
    otherTotal: null,
    paid: null,
    refunded: null,
    isRounded: false,
    isTest: false,
    method: "gateway",
    names: [],
    aliases: [],
    relatedTo: null,
    knowsDispute: false,
    customer: null,
    url: `https://chez-awa.example/orders/${number}`,
    ...change,
  };
}

function paymentOf(
  { id, createdAt, total }: Order,
  change: Partial<Facts["payments"][number]> = {},
): Facts["payments"][number] {
  const fee = Math.round(total.minor * 0.025);
  const ids = {
    id: `0d3c2a52-3f0e-4f55-9b2f-${id.padStart(12, "0")}`,
    code: `txn_7K2MPQ9XW4${id.padStart(4, "2")}`,
    session: null,
  };
  const facts = { amount: total, fee, net: total.minor - fee, discount: 0, at: createdAt + 60_000, names: [id] };
  return {
    kind: "payment",
    ...ids,
    ...facts,
    environment: "live",
    reference: null,
    site: null,
    channel: null,
    customer: null,
    ...change,
  };
}

/** A month of a shop, in which six things are wrong. */
function month(): Facts {
  const wrong: Readonly<Record<number, Partial<Order>>> = {
    1044: { state: "unpaid", paidAt: null },
    1071: { state: "cancelled" },
    1093: { refunded: { minor: 2_500, currency: "XOF" } },
  };
  const orders = Array.from({ length: 110 }, (_, index) => orderOf(1_001 + index, wrong[1_001 + index] ?? {}));
  const payments = orders.map((order) => paymentOf(order));
  const [first] = orders;
  const lonely = orderOf(1_150, { total: { minor: 18_500, currency: "XOF" } });
  const again = {
    ...paymentOf(first ?? lonely),
    id: "0d3c2a52-3f0e-4f55-9b2f-8d5a9e1f7c11",
    code: "txn_9QW3ER5TYU7KPA",
  };
  const nobody = paymentOf(
    { ...lonely, id: "90001" },
    { names: ["90001"], amount: { minor: 12_700, currency: "XOF" }, fee: null, net: null },
  );
  const shows = { refunds: true, cancellations: true, methods: true, ids: true, disputes: true };
  const read = { from: FROM - 45 * DAY, until: UNTIL + 3 * DAY };
  return {
    orders: [...orders, lonely],
    payments: [...payments, again, nobody],
    refunds: [],
    disputes: [],
    payouts: [],
    balances: [],
    shops: [{ shop: "chez-awa.example", ...read, shows, site: "chez-awa.example", methods: ["gateway"] }],
    movements: { ...read, environments: ["live"], disputesSince: null },
  };
}

describe.skipIf(skipReason !== null)(title, () => {
  let browser: Browser;
  let folder: string;
  let context: BrowserContext;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), "tillkit-report-"));
  });
  afterEach(() => context?.close());
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const result = audit(month(), { from: FROM, until: UNTIL, now: UNTIL + 5 * DAY });

  it("the month of the picture has one finding of each of six kinds", () => {
    expect(new Set(result.findings.map(({ kind }) => kind)).size).toBe(6);
    expect(result.addsUp).toBe(true);
  });

  it.each([
    ["en", "desktop"],
    ["fr", "desktop"],
    ["en", "phone"],
    ["fr", "phone"],
  ] as const)(
    "the report in %s can be read on a %s by everybody, and asks nothing of the network",
    async (language, screen) => {
      const file = join(folder, `report-${language}.html`);
      await writeFile(file, renderReport(result, language));
      context = await (screen === "phone" ? openPhone : openDesktop)(browser, { language });
      const page = await context.newPage();
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(file).href);
      await checkPage(page, `audit-report-${language}-${screen}`);
      expect(await page.getByText(language === "fr" ? "Le service (réel)" : "The service (live)").count()).toBe(1);
      expect(requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
    },
  );
});
