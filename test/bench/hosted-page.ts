// How soon a shopper on a weak network can read the hosted page: 400 kbit/s with 400 ms of latency, against the same page
// without limits in the same run. Target: readable 1.5 s after the connection is established; one request, at most 14 KB compressed.
// Afterwards it weighs every page of the example shop, the hosted page, the operators' pages and the console: each has at most
// 30 KB with styles, scripts and pictures, compressed.
// npm run bench -- page
import { createServiceClient } from "@tillkit/client";
import { createSandbox } from "@tillkit/sandbox";
import type { Browser } from "playwright-core";
import { openBrowser } from "../browser/phone.ts";
import { weighPages, weightTable } from "./page-weights.ts";

const RUNS = 5;
const TARGET_MS = 1_500;
const TARGET_KB = 14;
const WEAK_NETWORK = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };

type Visit = { readonly readableMs: number; readonly kilobytes: number; readonly requests: number };

const sandbox = await createSandbox();
const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
const { data } = await client.checkoutSessions.create({ amount: 25_000, currency_code: "XOF", title: "Commande 1042" });
const browser = await openBrowser();
try {
  const unlimitedVisits = await visitRepeatedly(browser, data.url, false);
  const weakVisits = await visitRepeatedly(browser, data.url, true);
  report("without limits", unlimitedVisits);
  report("400 kbit/s, 400 ms", weakVisits);
  console.log(`ratio weak / unlimited: ${(median(weakVisits) / median(unlimitedVisits)).toFixed(1)}`);
  for (const { kilobytes, requests } of weakVisits.slice(0, 1))
    console.log(`${kilobytes.toFixed(1)} KB over the wire in ${requests} request (target ≤ ${TARGET_KB} KB in one)`);
  console.log(
    `${median(weakVisits) <= TARGET_MS ? "within" : "OVER"} the target of ${TARGET_MS} ms after the connection`,
  );
  for (const line of weightTable(await weighPages(browser))) console.log(line);
} finally {
  await browser.close();
  await sandbox.close();
}

async function visitRepeatedly(chromium: Browser, url: string, isWeak: boolean): Promise<Visit[]> {
  const visits: Visit[] = [];
  for (let run = 0; run < RUNS; run += 1) visits.push(await visit(chromium, url, isWeak));
  return visits;
}

async function visit(chromium: Browser, url: string, isWeak: boolean): Promise<Visit> {
  const context = await chromium.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, locale: "fr-FR" });
  const page = await context.newPage();
  let requests = 0;
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) requests += 1;
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  if (isWeak) await devtools.send("Network.emulateNetworkConditions", WEAK_NETWORK);
  await page.goto(url, { waitUntil: "load" });
  // A string, because this repository's types do not include the DOM.
  const measured = (await page.evaluate(`(async () => {
    const paint = () => performance.getEntriesByName("first-contentful-paint")[0];
    while (!paint()) await new Promise((resolve) => setTimeout(resolve, 20));
    const [navigation] = performance.getEntriesByType("navigation");
    return { readableMs: paint().startTime - navigation.connectEnd, kilobytes: navigation.transferSize / 1024 };
  })()`)) as Omit<Visit, "requests">;
  await context.close();
  return { ...measured, requests };
}

function median(visits: readonly Visit[]): number {
  const times = visits.map(({ readableMs }) => readableMs).sort((left, right) => left - right);
  return times[Math.floor(times.length / 2)] ?? Number.NaN;
}

function report(name: string, visits: readonly Visit[]): void {
  const times = visits.map(({ readableMs }) => Math.round(readableMs)).join(", ");
  console.log(`${name}: readable after ${Math.round(median(visits))} ms (${times})`);
}
