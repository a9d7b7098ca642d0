// npm run bench -- ways [--list]: counts the files and functions of ours that run on each way of money, by V8's coverage of one server process
// with its ledger in SQLite: the service and the shop are fakes beside it. The shapes are counted from the types of these functions
// (shapes.ts). `--list` names the files and the shapes.
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { signWebhook } from "@tillkit/client/webhooks";
import { runDue } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { LINK_KEY, type MerchantFixture, openMerchant, WEBHOOK_SECRET } from "../fixtures/merchant.ts";
import { hiddenFields, logInOperator, OPERATOR_TOKEN, type Operator } from "../fixtures/operator.ts";
import { shopOrder } from "../fixtures/small-shop.ts";
import { type Ran, shapesOf } from "./shapes.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url)).replace(/\/$/, "");
/** Ours, and shipped: no tests, no sandbox, no fakes. */
const PRODUCT = /packages\/(client|core|sql|ledger|runtime|server)\/src\//;

type Way = {
  readonly title: string;
  readonly atMost: { readonly files: number; readonly functions: number; readonly shapes: number };
};
const WAYS = {
  webhook: { title: "a webhook to a paid order", atMost: { files: 85, functions: 340, shapes: 18 } },
  refund: { title: "an operator's refund", atMost: { files: 80, functions: 300, shapes: 18 } },
} satisfies Record<string, Way>;

/**
 * No functions of ours. The module itself, and a function without a name, which is a part of the one that it stands in, have no name; the
 * compiler adds `__name` to a module, and V8 the initial values of a class's fields.
 */
const NO_FUNCTIONS: ReadonlySet<string> = new Set(["", "__name", "<instance_members_initializer>"]);

type Walked = Way & { readonly ran: readonly Ran[] };
const walked: Walked[] = [];
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const ledger = await openLedger("sqlite::memory:", { secretKeys: [LINK_KEY] });
const merchant = await openMerchant({ options: { ledger, operators: { tokens: [OPERATOR_TOKEN] } } });
const operator = await logInOperator(merchant);
// What runs once, and caches that fill, would be counted on the first way only.
await walkBothWays(merchant, operator, async (_way, walk) => walk());
await walkBothWays(merchant, operator, measure);
await merchant.close();
await ledger.close();
for (const way of walked) report(way);

async function walkBothWays(
  { checkout, service, clock, shop }: MerchantFixture,
  { open, submit, post }: Operator,
  along: (way: Way, walk: () => Promise<void>) => Promise<void>,
): Promise<void> {
  shop.order = { ...shopOrder, ref: { ...shopOrder.ref, orderId: String(service.sessions.size + 1) } };
  const start = await checkout.startCheckout(shop.order);
  if (start.status !== "redirect") throw new Error(`The checkout answered ${start.status}.`);
  const { paymentId } = start;
  const paid = service.newest();
  paid.status = "completed";
  const ids = { transaction_id: `txn_of_${paid.id}`, checkout_session_id: paid.id };
  service.transactions.push({ ...ids, status: "completed", created_at: new Date(clock.now()).toISOString() });
  // What is left of an earlier walk, such as its refund that the shop must show, belongs to no other way.
  while ((await runDue(checkout.engine)).done > 0);
  await along(WAYS.webhook, async () => {
    await deliver(merchant, ids);
    while ((await ledger.find({ id: paymentId }))?.state !== "recorded") await runDue(checkout.engine);
  });
  const path = `/operators/payments/${paymentId}`;
  while ((await runDue(checkout.engine)).done > 0);
  await along(WAYS.refund, async () => {
    await open(path);
    const preview = await submit(`${path}/refund`, "/refund", {
      amount: "5000",
      reason: "requested_by_customer",
      by: "Adjoua",
    });
    await post(`${path}/refund/confirm`, hiddenFields(await preview.text()));
  });
  const [refund] = await ledger.refunds(paymentId);
  if (refund?.state !== "completed") throw new Error(`The refund is ${refund?.state}.`);
}

async function deliver({ url, clock }: MerchantFixture, data: Record<string, string>): Promise<void> {
  const timestamp = new Date(clock.now()).toISOString();
  const body = JSON.stringify({ id: data.transaction_id, event: "PAYMENT_SUCCEEDED", timestamp, data });
  const signature = signWebhook(Buffer.from(body), WEBHOOK_SECRET);
  const headers = { "content-type": "application/json", "x-service-signature": signature };
  const answer = await fetch(`${url}/hooks/service/boutique-test`, { method: "POST", body, headers });
  if (answer.status !== 200) throw new Error(`The webhook was answered ${answer.status}.`);
}

async function measure({ title, atMost }: Way, walk: () => Promise<void>): Promise<void> {
  await session.post("Profiler.takePreciseCoverage");
  await walk();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ran = result
    .filter(({ url }) => PRODUCT.test(url))
    .map(({ url, functions }) => ({
      file: url.replace(/^.*?packages/, "packages"),
      names: functions
        .filter(({ functionName, ranges: [range] }) => !NO_FUNCTIONS.has(functionName) && (range?.count ?? 0) > 0)
        .map(({ functionName }) => functionName),
    }))
    .filter(({ names }) => names.length > 0);
  walked.push({ title, atMost, ran });
}

// Reading the types takes seconds, in which a server would answer nothing.
function report({ title, atMost, ran }: Walked): void {
  const shapes = shapesOf(ROOT, ran);
  const counts = {
    files: ran.length,
    functions: ran.reduce((sum, { names }) => sum + names.length, 0),
    shapes: shapes.length,
  };
  const kinds = ["files", "functions", "shapes"] as const;
  console.log(`${title}: ${kinds.map((kind) => `${counts[kind]} ${kind} (at most ${atMost[kind]})`).join(", ")}`);
  if (kinds.some((kind) => counts[kind] > atMost[kind])) process.exitCode = 1;
  if (!process.argv.includes("--list")) return;
  for (const { file, names } of ran) console.log(`  ${file}  ${names.join(", ")}`);
  console.log(`  shapes: ${shapes.join(", ")}`);
}
