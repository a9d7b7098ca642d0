// npm run bench -- time-to-paid [payments]: how long after the service's confirmation the shopper reads that the payment has arrived, on
// each platform: by its webhook; by the shopper's return, when webhooks are lost; by the first scheduled read, when nobody returns either.
// Service, shop and server share this process.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createServiceClient } from "@tillkit/client";
import { report } from "./report.ts";
import { type Platform, platforms } from "./time-to-paid-platforms.ts";

const PAYMENTS = Number(process.argv[2] ?? 100);
const GOAL_MS = 500;
/** Shoppers who pay at the same time. */
const SHOPPERS = 4;
/** As in the script of the waiting page: its first question. The server says when it may ask again. */
const FIRST_QUESTION_MS = 250;
/** The server holds a question for so long; then there is a gap until the next one. */
const QUESTION_MS = 6_250;
const LOOK_EVERY_MS = 50;
/** The first scheduled read of a payment, counted from its start. */
const FIRST_READ_MS = 120_000;
const START_EVERY_MS = 250;
const GIVE_UP_MS = 60_000;

/** How far all clocks of this process are ahead. They jump over the wait until the first scheduled read. */
let aheadMs = 0;
const systemNow = Date.now;
Date.now = () => systemNow() + aheadMs;

const folder = await mkdtemp(join(tmpdir(), "tillkit-paid-"));
for (const open of platforms) await measure(await open(folder));
await rm(folder, { recursive: true });

async function measure(platform: Platform): Promise<void> {
  const { sandbox, name } = platform;
  // One key makes all payments.
  await sandbox.control.changeSettings({ ratePolicy: "off" });
  printTimes(`${name}: webhook, the open page asks`, await pay(platform, waitOnOpenPage), GOAL_MS);
  const { webhooks } = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  for await (const { id = "" } of webhooks.list()) await webhooks.delete(id);
  printTimes(`${name}: the shopper returns, no webhook`, await pay(platform, returnAtOnce));
  printTimes(`${name}: nobody returns, no webhook`, await payAndLeave(platform));
  await platform.close();
}

type Checkout = {
  readonly returnUrl: string;
  /** The service confirms the payment. Returns when it did. */
  confirm(): Promise<number>;
};

type Sessions = { readonly data: readonly { id: string; checkout_url: string; success_url: string }[] };

async function startCheckout({ sandbox, startCheckout: start }: Platform): Promise<Checkout> {
  const url = await start();
  // The sandbox lists its newest sessions; the service has no such list.
  const { data } = (await (await fetch(`${sandbox.baseUrl}/sandbox/checkout-sessions?limit=20`)).json()) as Sessions;
  const session = data.find(({ checkout_url }) => checkout_url === url);
  if (!session) throw new Error(`No session has the page ${url}.`);
  const confirm = async () => {
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    return Date.now();
  };
  return { returnUrl: session.success_url, confirm };
}

/** What one shopper does. Returns when the service confirmed the payment. */
type Shopper = (checkout: Checkout, index: number) => Promise<number>;

/** How long each payment took from its confirmation, in milliseconds. */
async function pay(platform: Platform, shopper: Shopper): Promise<readonly number[]> {
  const times: number[] = [];
  let next = 0;
  const buy = async () => {
    for (let index = next++; index < PAYMENTS; index = next++) {
      const confirmedAt = await shopper(await startCheckout(platform), index);
      times.push(Date.now() - confirmedAt);
    }
  };
  await Promise.all(Array.from({ length: SHOPPERS }, buy));
  return times;
}

/** The shopper approves on another device, at any moment between two questions of the page. The moments are spread evenly. */
async function waitOnOpenPage({ returnUrl, confirm }: Checkout, index: number): Promise<number> {
  const page = await openPage(returnUrl);
  const confirmed = wait((index * QUESTION_MS) / PAYMENTS).then(confirm);
  await watchPage(page);
  return await confirmed;
}

async function returnAtOnce({ returnUrl, confirm }: Checkout): Promise<number> {
  const confirmedAt = await confirm();
  await watchPage(await openPage(returnUrl));
  return confirmedAt;
}

/**
 * Nobody looks at a page, so the shop's orders are counted. The payments become due in the rhythm and order in which they were started,
 * and almost immediately confirmed: of all payments, these wait longest for their first read.
 */
async function payAndLeave(platform: Platform): Promise<readonly number[]> {
  const paidBefore = await platform.paidOrders();
  const startedAt = Date.now();
  const confirmedAt: number[] = [];
  for (let index = 0; index < PAYMENTS; index += 1) {
    await wait(Math.max(0, startedAt + index * START_EVERY_MS - Date.now()));
    confirmedAt.push(await (await startCheckout(platform)).confirm());
  }
  aheadMs += Math.max(0, startedAt + FIRST_READ_MS - Date.now());
  const giveUpAt = Date.now() + GIVE_UP_MS + PAYMENTS * START_EVERY_MS;
  const times: number[] = [];
  while (times.length < PAYMENTS && Date.now() < giveUpAt) {
    const paid = (await platform.paidOrders()) - paidBefore;
    while (times.length < paid) times.push(Date.now() - (confirmedAt[times.length] ?? Number.NaN));
    await wait(LOOK_EVERY_MS);
  }
  return times;
}

/** `shown`: the status on a page that waits, otherwise empty. */
type Page = { readonly url: string; readonly shown: string; readonly isPaid: boolean; field(name: string): string };

async function openPage(address: string): Promise<Page> {
  const { ok, redirected, url, ...answer } = await read(address);
  const field = (name: string) =>
    new RegExp(`data-${name}="([^"]*)"`).exec(answer.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const shown = field("shown-status");
  // Our page thanks the shopper while the shop is written to. Afterwards it leads to the order's page in the shop.
  return { url, shown, isPaid: shown === "recording" || (shown === "" && ok && redirected), field };
}

/** Does what the script of the page does, until the page says that the payment has arrived. */
async function watchPage(first: Page): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let waitMs = FIRST_QUESTION_MS;
  for (let page = first; !page.isPaid; ) {
    if (page.shown === "" || performance.now() > giveUpAt) throw new Error(`A paid order's page is ${page.url}.`);
    await wait(waitMs);
    const { status, askInMs } = JSON.parse((await read(new URL(page.field("status-url"), page.url).href)).text);
    waitMs = askInMs;
    if (status !== page.shown) page = await openPage(new URL(page.field("next-url"), page.url).href);
  }
}

async function read(address: string) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(GIVE_UP_MS) });
  return { ok: answer.ok, redirected: answer.redirected, url: answer.url, text: await answer.text() };
}

function printTimes(what: string, times: readonly number[], goalMs?: number): void {
  const sorted = [...times].sort((left, right) => left - right);
  const within = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  const [half, most] = [0.5, 0.95].map((share) => `${(within(share) / 1_000).toFixed(2)} s`);
  const goal = goalMs === undefined ? "no goal" : `p95 at most ${goalMs / 1_000} s`;
  const isReached = sorted.length === PAYMENTS && (goalMs === undefined || within(0.95) <= goalMs);
  report(what.padEnd(60), `p50 ${half}, p95 ${most} of ${sorted.length} payments`, goal, isReached);
}
