import type { Payment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createInvitations, createStoreRegistry, type Invitations, type StoreRegistry } from "../src/index.ts";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import {
  createOperator,
  hiddenFields,
  logInOperator,
  OPERATOR_TOKEN,
  type Operator,
  textOf,
} from "./fixtures/operator.ts";
import { openSmallShop, shopOrder } from "./fixtures/small-shop.ts";

let merchant: MerchantFixture;
let registry: StoreRegistry;
let invitations: Invitations;
let own: string;
let foreign: string;
const disconnected: string[] = [];

beforeEach(async () => {
  const bazar = openSmallShop();
  bazar.order = { ...shopOrder, ref: { storeId: "bazar", orderId: "999" }, number: "BAZAR-999" };
  disconnected.length = 0;
  merchant = await openMerchant({
    otherShops: { bazar },
    options: { operators: { tokens: [OPERATOR_TOKEN] } },
    optionsOf: ({ ledger, clock }) => {
      registry = createStoreRegistry(ledger.records, clock);
      const disconnect = async (storeId: string) => (disconnected.push(storeId), "leaving" as const);
      invitations = createInvitations(ledger.records, clock);
      return { selfService: { registry, invitations, disconnect } };
    },
  });
  for (const storeId of ["boutique", "bazar"]) {
    const look = { name: `Shop ${storeId}`, currencies: ["XOF"], language: "fr", pluginVersion: "0.1.0" } as const;
    const times = { stateSince: 0, connectedAt: 0, linkedAt: 0 };
    await registry.put({ storeId, address: `https://${storeId}.example`, state: "connected", ...look, ...times }, null);
  }
  own = await pay(merchant.shop.order ?? shopOrder);
  foreign = await pay(bazar.order);
});
afterEach(() => merchant.close());

async function pay(order: typeof shopOrder): Promise<string> {
  const start = await merchant.checkout.startCheckout(order);
  if (start.status !== "redirect") throw new Error("The checkout did not redirect.");
  const session = merchant.service.newest();
  session.status = "completed";
  const created_at = new Date(merchant.clock.now()).toISOString();
  const ids = { transaction_id: `txn_${order.ref.storeId}`, checkout_session_id: session.id };
  merchant.service.transactions.push({ ...ids, status: "completed", created_at });
  const returnPath = String(merchant.service.newest().body.success_url).slice(merchant.url.length);
  await merchant.get(returnPath);
  const payment = await merchant.ledger.find({ id: start.paymentId });
  if (!payment) throw new Error("The payment is not in the ledger.");
  const next = { ...payment, transactionId: ids.transaction_id, version: payment.version + 1 };
  await merchant.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
  return start.paymentId;
}

let requests = 0;

async function ownerLink(storeId = "boutique", role: "owner" | "viewer" = "owner"): Promise<string> {
  const url = await merchant.checkout.ownerLoginLink?.({ storeId, role, user: "7" }, `request${requests++}`);
  return String(url).slice(merchant.url.length);
}

async function enter(storeId?: string, role?: "owner" | "viewer"): Promise<Operator> {
  const owner = createOperator(merchant);
  const answer = await owner.open(await ownerLink(storeId, role));
  expect(answer.headers.get("location")).toBe("/operators");
  return owner;
}

const read = async (owner: Operator, path: string) => await textOf(await owner.open(`/operators${path}`));

describe("the owner of one shop", () => {
  test("an owner sees the payments, files and figures of the own shop, and none of another shop", async () => {
    const owner = await enter();
    for (const path of [
      "",
      "/payments",
      "/refunds",
      "/disputes",
      "/export",
      "/settlement?from=1970-01-01&until=1970-01-31",
      "/menu",
    ]) {
      const answer = await owner.open(`/operators/test${path}`);
      expect(answer.status, path).toBe(200);
      const page = await answer.text();
      for (const text of ["BAZAR", "bazar", foreign]) expect(page, path).not.toContain(text);
    }
    expect(await (await owner.open("/operators/test/payments")).text()).toContain(own);
    expect((await owner.open(`/operators/test/payments/${own}`)).status).toBe(200);
    const period = "from=1970-01-01&until=2100-01-01";
    for (const what of ["payments", "refunds", "disputes", "settlement"]) {
      const answer = await owner.open(`/operators/test/export.csv?${period}&what=${what}&store=bazar`);
      expect(answer.status, what).toBe(200);
      const lines = await answer.text();
      expect(lines, what).not.toContain("bazar");
      if (what === "payments") expect(lines).toContain(own);
    }
    const chosen = await owner.open(`/operators/test/chosen.csv?payment=${own}&payment=${foreign}`);
    const file = await chosen.text();
    expect(file).toContain(own);
    expect(file).not.toContain(foreign);
  });

  test("a payment of another shop does not exist for an owner: no page, no form, no search finds it", async () => {
    const owner = await enter();
    const form = hiddenFields(await (await owner.open("/operators/test")).text()).form ?? "";
    for (const path of ["", "/accept", "/refund", "/refund/result", "/dispute", "/transaction"])
      expect((await owner.open(`/operators/test/payments/${foreign}${path}`)).status, path).toBe(404);
    for (const path of ["/accept", "/refund", "/refund/confirm", "/refund/result", "/dispute", "/transaction"]) {
      const answer = await owner.post(`/operators/test/payments/${foreign}${path}`, { form, by: "x", amount: "1" });
      expect(answer.status, path).toBe(404);
    }
    for (const searched of [foreign, "BAZAR-999", "999"])
      expect((await owner.open(`/operators/test/find?q=${searched}`)).status, searched).toBe(404);
    expect(await merchant.ledger.refunds(foreign)).toEqual([]);
  });

  test("what belongs to the server does not exist for an owner", async () => {
    const owner = await enter();
    const form = hiddenFields(await (await owner.open("/operators/test")).text()).form ?? "";
    for (const path of [
      "/technical",
      "/shops",
      "/acts",
      "/dead",
      "/deliveries",
      "/endpoints",
      "/endpoints/boutique-test",
    ])
      expect((await owner.open(`/operators/test${path}`)).status, path).toBe(404);
    for (const path of ["/shops/invite", "/shops/bazar/suspend", "/jobs/1/retry", "/jobs/retry-all"])
      expect((await owner.post(`/operators/test${path}`, { form })).status, path).toBe(404);
    expect((await registry.find("bazar"))?.state).toBe("connected");
    expect(await read(owner, "/test")).not.toContain("Technical");
  });

  test("an owner reads how many of the own payments and jobs wait, and that the server's operator retries a job", async () => {
    for (const paymentId of [own, foreign]) {
      const { version, ...payment } = (await merchant.ledger.find({ id: paymentId })) ?? { version: 0 };
      const next = { ...payment, state: "review", version: version + 1 } as Payment;
      const { ref } = next;
      const job = { kind: "confirm", storeId: ref.storeId, paymentId, payload: "", dueAt: 0 } as const;
      await merchant.ledger.commit({ payment: { next, expect: version }, jobs: [job], timeline: [] });
    }
    const now = merchant.clock.now();
    const jobs = await merchant.ledger.claim({ worker: "w", now, leaseMs: 60_000, limit: 9 });
    const error = { code: "stopped", message: "The shop refused our connection." };
    await merchant.ledger.commit({ retried: jobs.map(({ id }) => ({ id, dueAt: null, error })), timeline: [] });
    const page = await (await enter()).open("/operators/test");
    const body = await page.clone().text();
    expect(await textOf(page)).toMatch(/Needs your attention 2 payments, disputes, jobs/);
    expect(body).toContain("ask whoever runs the checkout server to retry it");
    expect(body).not.toContain("/retry");
  });

  test("every link that an owner is shown leads to a page", async () => {
    const delivery = { endpointId: "boutique-test", digest: "d1" };
    await merchant.ledger.receive([{ ...delivery, bytes: Buffer.from("{}"), receivedAt: 1 }]);
    const outcome = { outcome: "processed", paymentId: own, processedAt: 2 } as const;
    await merchant.ledger.commit({ processed: [{ ...delivery, ...outcome }], timeline: [] });
    const owner = await enter();
    const paths = [`/operators/test/payments/${own}`];
    for (const path of paths) {
      const answer = await owner.open(path);
      expect(answer.status, path).toBeLessThan(400);
      const links = [...(await answer.text()).matchAll(/href="(\/operators[^"#]*)/g)].map(([, link = ""]) => link);
      paths.push(
        ...links.filter((link) => !paths.includes(link.replaceAll("&amp;", "&")) && !/lang=|keys=/.test(link)),
      );
    }
    expect(paths.length).toBeGreaterThan(10);
    expect(await read(owner, `/test/payments/${own}`)).toMatch(/Webhook Processed/);
  });

  test("an owner's refund and login are in the log of acts under the shop and its number of the person", async () => {
    const owner = await enter();
    const preview = await owner.submit(`/operators/test/payments/${own}/refund`, "/refund", {
      amount: "1000",
      reason: "requested_by_customer",
    });
    const fields = hiddenFields(await preview.text());
    await owner.post(`/operators/test/payments/${own}/refund/confirm`, fields);
    expect(await merchant.ledger.refunds(own)).toHaveLength(1);
    const { rows } = await merchant.ledger.listActs({ limit: 9 });
    expect(rows.map(({ act, by }) => [act, by])).toEqual([
      ["refund", "boutique, user 7"],
      ["log_in", "boutique, user 7"],
    ]);
  });

  test("a viewer of a shop decides nothing", async () => {
    const viewer = await enter("boutique", "viewer");
    expect((await viewer.open(`/operators/test/payments/${own}`)).status).toBe(200);
    const answer = await viewer.open(`/operators/test/payments/${own}/refund`);
    expect(answer.headers.get("location")).toContain("problem=viewer");
  });
});

describe("the link of an owner", () => {
  const isRefused = async (path: string) =>
    (await createOperator(merchant).open(path)).headers.get("location") === "/operators/login";

  test("a link opens once and within a minute", async () => {
    const link = await ownerLink();
    expect(await isRefused(link)).toBe(false);
    expect(await isRefused(link)).toBe(true);
    const old = await ownerLink();
    await merchant.clock.advance(61_000);
    expect(await isRefused(old)).toBe(true);
  });

  test("a link or a cookie that was changed to another shop or role opens nothing", async () => {
    const link = await ownerLink("boutique", "viewer");
    for (const [from, to] of [
      ["viewer", "owner"],
      ["boutique", "bazar"],
      [".7.", ".8."],
    ] as const)
      expect(await isRefused(link.replace(from, to)), to).toBe(true);
    const owner = await enter("boutique", "viewer");
    const cookie = owner.cookies.get("tillkit_operator") ?? "";
    for (const changed of [
      cookie.replace("viewer", "owner"),
      cookie.replace("boutique", "bazar"),
      cookie.replace(".viewer.boutique.7", ""),
    ]) {
      expect(changed).not.toBe(cookie);
      owner.cookies.set("tillkit_operator", changed);
      expect((await owner.open("/operators/test/payments")).headers.get("location")).toMatch(/^\/operators.*\/login/);
    }
  });

  test("a request of the shop that is repeated gets no second link", async () => {
    const person = { storeId: "boutique", role: "owner", user: "7" } as const;
    expect(await merchant.checkout.ownerLoginLink?.(person, "same")).not.toBeNull();
    expect(await merchant.checkout.ownerLoginLink?.(person, "same")).toBeNull();
  });

  test("the session of an owner ends when the shop is connected again, and a new link opens the pages", async () => {
    const owner = await enter();
    await merchant.clock.advance(5_000);
    const store = await registry.find("boutique");
    if (store === null) throw new Error("The shop is not connected.");
    await registry.put({ ...store, linkedAt: merchant.clock.now() }, store);
    expect((await owner.open("/operators/test/payments")).headers.get("location")).toContain("/login");
    expect((await (await enter()).open("/operators/test/payments")).status).toBe(200);
  });

  test("the session of an owner ends when the shop has left", async () => {
    const owner = await enter();
    await registry.change("boutique", ["connected"], "suspended");
    expect((await owner.open("/operators/test/payments")).status).toBe(200);
    await registry.change("boutique", ["suspended"], "left");
    expect((await owner.open("/operators/test/payments")).headers.get("location")).toContain("/login");
    expect((await owner.open("/operators/login")).status).toBe(200);
  });
});

describe("the operators' page of shops", () => {
  test("an operator suspends, resumes and removes a shop, and each is in the log of acts", async () => {
    const operator = await logInOperator(merchant);
    expect(await read(operator, "/test/shops")).toContain("Shop bazar connected");
    await operator.submit("/operators/test/shops", "/bazar/suspend");
    expect((await registry.find("bazar"))?.state).toBe("suspended");
    await operator.submit("/operators/test/shops", "/bazar/resume");
    expect((await registry.find("bazar"))?.state).toBe("connected");
    await operator.submit("/operators/test/shops", "/bazar/remove");
    expect(disconnected).toEqual(["bazar"]);
    const { rows } = await merchant.ledger.listActs({ limit: 9 });
    expect(rows.map(({ act, detail }) => `${act} ${detail}`)).toEqual(
      expect.arrayContaining(["shop_suspend bazar", "shop_resume bazar", "shop_remove bazar"]),
    );
  });

  test("an invitation code is shown once, and an address does not contain it", async () => {
    const operator = await logInOperator(merchant);
    const answer = await operator.submit("/operators/test/shops", "/shops/invite");
    expect(answer.status).toBe(200);
    const [code = ""] = /[0-9A-F]{5}(?:-[0-9A-F]{5}){5}/.exec(await textOf(answer)) ?? [];
    expect(code).not.toBe("");
    expect(await read(operator, "/test/shops")).toContain("1 code waits for its shop.");
    expect(await read(operator, "/test/shops")).not.toContain(code);
  });

  test("a withdrawn code connects nobody, and the log of acts says who withdrew which", async () => {
    const operator = await logInOperator(merchant);
    const code = await invitations.create();
    const other = await invitations.create();
    expect(await read(operator, "/test/shops")).toContain(`${code.slice(0, 5)}… valid until`);
    const { id = "" } = (await invitations.open()).find(({ begins }) => begins === code.slice(0, 5)) ?? {};
    await operator.submit("/operators/test/shops", `/invitations/${id}/withdraw`);
    expect(await invitations.use(code, "https://a.example")).toBe(false);
    expect(await invitations.use(other, "https://a.example")).toBe(true);
    const { rows } = await merchant.ledger.listActs({ limit: 1 });
    expect(rows[0]).toMatchObject({ act: "shop_uninvite", detail: `${code.slice(0, 5)}…` });
    expect(await read(operator, "/test/acts")).toContain("Withdrew an invitation code");
  });

  test("a code that connected its shop meanwhile is not withdrawn, and the operator is told so", async () => {
    const operator = await logInOperator(merchant);
    await invitations.use(await invitations.create(), "https://a.example");
    const [open] = await invitations.open();
    expect(await read(operator, "/test/shops")).toContain("Entered for https://a.example");
    const { form = "" } = hiddenFields(await (await operator.open("/operators/test/shops")).text());
    await invitations.spend("https://a.example");
    const answer = await operator.post(`/operators/test/invitations/${open?.id}/withdraw`, { form });
    expect(answer.headers.get("location")).toContain("/shops?problem=code");
    expect(await read(operator, "/test/shops?problem=code")).toContain("This code has connected its shop");
    const { rows } = await merchant.ledger.listActs({ limit: 9 });
    expect(rows.map(({ act }) => act)).not.toContain("shop_uninvite");
  });
});
