import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import {
  api,
  eventually,
  type Json,
  newEndpoint,
  newSession,
  openReceiver,
  openSandbox,
  order,
  paymentEvents,
} from "./open-sandbox.ts";

const tabs = ["", "/sessions", "/transactions", "/refunds", "/customers", "/disputes", "/events", "/deliveries"];
const otherTabs = [
  "/requests",
  "/network",
  "/network?show=operators",
  "/network?show=members",
  "/network?show=invites",
];
const steering = ["/network?show=merchants", "/clock", "/faults", "/settings"];
const everyTab = [...tabs, ...otherTabs, ...steering];

type Page = { status: number; text: string; location: string | null; headers: Headers };

/** A page of the console, as a browser gets it. */
async function open(sandbox: Sandbox, path: string): Promise<Page> {
  return read(await fetch(sandbox.consoleUrl + path, { redirect: "manual" }));
}

/** A button of the console, pressed on its own page unless the headers say otherwise. */
async function press(
  sandbox: Sandbox,
  path: string,
  fields: Record<string, string> | readonly (readonly [string, string])[] = {},
  headers: Record<string, string> = { Origin: sandbox.baseUrl },
): Promise<Page> {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
  const body = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]));
  return read(await fetch(sandbox.consoleUrl + path, { method: "POST", body, headers, redirect: "manual" }));
}

async function read(answer: Response): Promise<Page> {
  const { status, headers } = answer;
  return { status, headers, text: await answer.text(), location: headers.get("location") };
}

/** The sentence above a page, or null. */
function said({ text }: Page): string | null {
  return /<p class="said[^>]*>([^<]*)</.exec(text)?.[1] ?? null;
}

/** A merchant who has seen everything once: paid, failed, refunded, disputed, delivered, refused, delegated. */
async function busySandbox(): Promise<{ sandbox: Sandbox; session: Json; paths: readonly string[]; secret: string }> {
  const sandbox = await openSandbox();
  const receiver = await openReceiver();
  const { secret } = await newEndpoint(sandbox, `${receiver.url}?token=hush`, {
    authorized_events: [...paymentEvents, "REFUND_CREATED"],
  });
  const session = await newSession(sandbox, {
    title: "<script>alert(1)</script>",
    metadata: { "<xss>": '"><xss>' },
  });
  const payment = await sandbox.control.paySession(session.id, { method: "card", outcome: "completed" });
  const refund = await api(sandbox, "POST /refunds", {
    headers: { "Idempotency-Key": "refund-1" },
    body: { transaction_id: payment.transaction_id, amount: 100, refund_type: "partial", reason: "<xss>torn" },
  });
  const dispute = await sandbox.control.createDispute({
    transaction_id: String(payment.transaction_id),
    reason: "<xss>",
  });
  await api(sandbox, "POST /checkout-sessions", { body: { amount: "<xss>", customer_email: "hidden@example.test" } });
  const operator = await sandbox.control.createOperator({ name: "<xss>Operator" });
  const member = await sandbox.control.createMember({ name: "<xss>Member" });
  const { operator_id } = operator;
  const membership = await sandbox.control.createMembership({ operator_id, account: member.account });
  const invite = await sandbox.control.createInvite({ operator_id });
  await sandbox.control.addFault({ method: "GET", path: "/<xss>", status: 503 });
  await eventually(async () => (await sandbox.control.listDeliveries()).every(({ state }) => state !== "waiting"));
  const [event] = await sandbox.control.listEvents({ sessionId: session.id });
  const [delivery] = await sandbox.control.listDeliveries();
  const [organization] = await sandbox.control.listOrganizations();
  const paths = [
    ...everyTab,
    `/sessions/${session.id}`,
    `/transactions/${payment.transaction_id}`,
    `/refunds/${refund.json.refund_id}`,
    `/customers/${payment.customer_id}`,
    `/disputes/${dispute.dispute_id}`,
    `/events/${event?.id}`,
    `/deliveries/${delivery?.id}`,
    ...sandbox.control.listRequests().map(({ request_id }) => `/requests/${request_id}`),
    ...[operator_id, member.member_id, membership.membership_id, organization?.organization_id].map(
      (id) => `/network/${id}`,
    ),
  ];
  expect(invite.link).toContain("http");
  return { sandbox, session, paths, secret };
}

describe("the console", () => {
  it.each(everyTab)("answers %s of a sandbox in which nothing happened yet, under one heading", async (path) => {
    const sandbox = await openSandbox();
    const page = await open(sandbox, path);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text.match(/<h1/g)).toHaveLength(1);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'.*form-action 'self';.*frame-ancestors 'none'/,
    );
  });

  it("shows what merchants and shoppers wrote as text, and no key, secret or link that opens something", async () => {
    const { sandbox, paths, secret } = await busySandbox();
    const { test, live } = sandbox.keys;
    const [invite] = await sandbox.control.listInvites();
    const hidden = [secret, test.secret, test.publishable, live.secret, live.publishable, invite?.link ?? "none"];
    const keys = (await sandbox.control.listOrganizations()).flatMap(({ keys: { test, live } }) => [
      test.secret,
      live.secret,
    ]);
    for (const path of paths) {
      const page = await open(sandbox, path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.text.match(/<h1/g)).toHaveLength(1);
      const shown = page.text.replace(/<(style|script) nonce.*?<\/\1>/gs, "");
      expect(shown).not.toMatch(/<(script|xss)/);
      for (const text of [...hidden, ...keys, "whsec_", "svc_sk_", "token=hush", "hidden@example.test", "/return?s="]) {
        expect(shown.includes(text), `${text} on ${path}`).toBe(false);
      }
    }
  });

  it("shows a session with what came of it, an event with its exact body and signature, a delivery with its attempt", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const session = await newSession(sandbox);
    const payment = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    await receiver.until(1);
    await eventually(async () => (await sandbox.control.listDeliveries()).every(({ state }) => state === "delivered"));
    const [delivery] = await sandbox.control.listDeliveries();
    const shop = await open(sandbox, `/sessions/${session.id}`);
    for (const id of [payment.transaction_id, delivery?.event_id, delivery?.id]) expect(shop.text).toContain(`/${id}"`);
    expect(shop.text).toContain("25,000\u00a0F\u00a0CFA");
    const event = await open(sandbox, `/events/${delivery?.event_id}`);
    const [parcel] = receiver.received;
    expect(event.text).toContain(`<pre id="body">${parcel?.body.replaceAll('"', "&quot;")}</pre>`);
    expect(event.text).toContain(`<pre id="signature">${parcel?.headers["x-service-signature"]}</pre>`);
    const sent = await open(sandbox, `/deliveries/${delivery?.id}`);
    for (const text of ["Attempt 1", "said 200", "X-Service-Event: PAYMENT_SUCCEEDED", receiver.url]) {
      expect(sent.text).toContain(text);
    }
  });

  it("shows what was received and answered under a request id, without what is private", async () => {
    const sandbox = await openSandbox();
    const { headers } = await api(sandbox, "POST /checkout-sessions", {
      body: { ...order, customer_email: "awa@example.test", amount: "12" },
    });
    const page = await open(sandbox, `/requests/${headers.get("x-request-id")}`);
    expect(page.text).toContain("&quot;title&quot;: &quot;Order 1042&quot;");
    expect(page.text).toContain("&quot;code&quot;: &quot;validation_failed&quot;");
    expect(page.text).toContain("&quot;customer_email&quot;: &quot;[hidden]&quot;");
    expect(page.text).not.toContain("awa@example.test");
  });

  it("finds whatever has an id, and says so when nothing has it", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const payment = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const [event] = await sandbox.control.listEvents();
    const [request] = sandbox.control.listRequests();
    const places = {
      sessions: session.id,
      transactions: payment.public_id,
      events: event?.id,
      requests: request?.request_id,
    };
    for (const [tab, id] of Object.entries(places)) {
      expect((await open(sandbox, `/find?id=${id}`)).location).toBe(`/sandbox/console/${tab}/${id}`);
    }
    const nothing = await open(sandbox, "/find?id=%3Cb%3E");
    expect([nothing.status, said(nothing)]).toEqual([404, "Nothing here has the id &lt;b&gt;."]);
  });

  it.each(["/nothing", "/sessions/unknown", "/events/unknown", "/deliveries/unknown", "/network/unknown", "/%"])(
    "says that %s does not exist",
    async (path) => {
      const page = await open(await openSandbox(), path);
      expect(page.status).toBe(404);
      expect(page.text).toMatch(/<h1>[^<]* not found<\/h1>/);
    },
  );

  it("stays small after a thousand sessions: every list has pages", async () => {
    const sandbox = await openSandbox();
    await newEndpoint(sandbox, "http://127.0.0.1:9/hooks");
    await sandbox.control.changeSettings({ ratePolicy: "off", delivery: { attempts: 1 } });
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const session = await newSession(sandbox, { title: `Order ${round * 50 + index} ${"long ".repeat(20)}` });
          if (index % 5 === 0) await sandbox.control.paySession(session.id, { method: "card", outcome: "completed" });
        }),
      );
    }
    for (const path of everyTab) {
      const { text } = await open(sandbox, path);
      expect(Buffer.byteLength(text), path).toBeLessThan(60 * 1024);
    }
    const last = await open(sandbox, "/sessions?page=50");
    expect(last.text.match(/<li><a href="\/sandbox\/console\/sessions\//g)).toHaveLength(20);
    expect(last.text).toContain("Newer");
    expect(last.text).not.toContain("Older");
    expect((await open(sandbox, "/sessions?status=completed")).text).toContain("Older");
  }, 60_000);
});

describe("a button of the console", () => {
  it("pays a session, and expires another one", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const paid = await press(sandbox, `/sessions/${session.id}/pay`, { method: "wave", outcome: "completed" });
    expect([paid.status, paid.location]).toEqual([303, `/sandbox/console/sessions/${session.id}?done=paid`]);
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("completed");
    expect(said(await open(sandbox, `/sessions/${session.id}?done=paid`))).toBe("The payment was made as you chose.");
    const other = await newSession(sandbox);
    await press(sandbox, `/sessions/${other.id}/expire`);
    expect((await api(sandbox, `GET /checkout-sessions/${other.id}`)).json.status).toBe("expired");
  });

  it("says what cannot be, on the page that it is on", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.expireSession(session.id);
    const page = await press(sandbox, `/sessions/${session.id}/pay`, { method: "wave", outcome: "completed" });
    expect([page.status, said(page)]).toEqual([409, "The checkout session is expired"]);
    expect(page.text).toContain("Order 1042");
    expect((await press(sandbox, "/sessions/unknown/expire")).status).toBe(404);
  });

  it("completes and fails what is pending, and completes late what expired", async () => {
    const sandbox = await openSandbox();
    const attempt = async () => {
      const session = await newSession(sandbox);
      return sandbox.control.paySession(session.id, { method: "wave", outcome: "pending" });
    };
    const status = async (id: unknown) => (await api(sandbox, `GET /transactions/${id}`)).json;
    const [first, second, third] = [await attempt(), await attempt(), await attempt()];
    await press(sandbox, `/transactions/${first.transaction_id}/complete`);
    await press(sandbox, `/transactions/${second.transaction_id}/fail`, { failure_code: "insufficient_funds" });
    await sandbox.control.expireSession(String(third.checkout_session_id));
    await press(sandbox, `/transactions/${third.transaction_id}/complete`);
    expect((await status(first.transaction_id)).status).toBe("completed");
    expect(await status(second.transaction_id)).toMatchObject({ status: "failed", failure_code: "insufficient_funds" });
    expect((await status(third.transaction_id)).status).toBe("completed");
  });

  it("completes a refund and closes a dispute", async () => {
    const sandbox = await openSandbox({ settings: { refunds: "pending" } });
    const session = await newSession(sandbox);
    const { transaction_id } = await sandbox.control.paySession(session.id, { method: "card", outcome: "completed" });
    const { json } = await api(sandbox, "POST /refunds", {
      headers: { "Idempotency-Key": "refund-1" },
      body: { transaction_id, amount: 100, refund_type: "partial" },
    });
    await press(sandbox, `/refunds/${json.refund_id}/complete`);
    expect((await api(sandbox, `GET /refunds/${json.refund_id}`)).json.status).toBe("completed");
    await press(sandbox, `/transactions/${transaction_id}/dispute`);
    const disputes = await open(sandbox, "/disputes");
    const id = /\/disputes\/([0-9a-f-]{36})"/.exec(disputes.text)?.[1];
    await press(sandbox, `/disputes/${id}/close`, { outcome: "lost" });
    expect((await open(sandbox, `/disputes/${id}`)).text).toContain(">lost</span>");
  });

  it("retries a failed delivery with the same bytes, and sends an event once more", async () => {
    const sandbox = await openSandbox({ settings: { delivery: { attempts: 1 } } });
    const receiver = await openReceiver();
    receiver.answerWith(500);
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    await eventually(async () => (await sandbox.control.listDeliveries()).some(({ state }) => state === "failed"));
    const [delivery] = await sandbox.control.listDeliveries();
    const refused = await press(sandbox, `/deliveries/${delivery?.id}/retry`);
    expect([refused.status, said(refused)]).toEqual([400, "The webhook endpoint answered 500: said 500"]);
    receiver.answerWith(200);
    const retried = await press(sandbox, `/deliveries/${delivery?.id}/retry`);
    expect(retried.location).toBe(`/sandbox/console/deliveries/${delivery?.id}?done=retried`);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await sandbox.control.listDeliveries()).toMatchObject([{ state: "delivered", attempts: [{}, {}, {}] }]);
    expect((await press(sandbox, `/deliveries/${delivery?.id}/retry`)).status).toBe(409);
    const sent = await press(sandbox, `/events/${delivery?.event_id}/deliver`);
    expect(sent.location).toBe(`/sandbox/console/events/${delivery?.event_id}?done=sent`);
    await receiver.until(4);
  });

  it("moves the clock", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await press(sandbox, "/clock/move", { seconds: "60" });
    await press(sandbox, "/clock/move", { amount: "2", unit: "hours" });
    expect(sandbox.control.readClock().offsetMs).toBe(60_000 + 7_200_000);
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("expired");
    expect((await press(sandbox, "/clock/move", { amount: "soon", unit: "hours" })).status).toBe(400);
    expect((await open(sandbox, "/clock")).text).toContain("2 h 1 min");
  });

  it("adds faults of every kind, and removes them", async () => {
    const sandbox = await openSandbox();
    const form = {
      method: "GET",
      path: "/transactions",
      status: "503",
      delayMs: "250",
      patch: '{"amount":1}',
      times: "2",
    };
    for (const kind of ["status", "reset", "delayMs", "cutBody", "patch"]) {
      const { location } = await press(sandbox, "/faults/add", { ...form, kind, when: "" });
      expect(location).toBe("/sandbox/console/faults?done=fault-added");
    }
    expect(sandbox.control.listFaults()).toMatchObject([
      { status: 503, times: 2, when: "before" },
      { reset: true },
      { delayMs: 250 },
      { cutBody: true, when: "after" },
      { patch: { amount: 1 } },
    ]);
    const wrong = await press(sandbox, "/faults/add", { ...form, kind: "patch", patch: "{" });
    expect([wrong.status, said(wrong)]).toEqual([400, "The change of the answer must be a JSON object."]);
    await press(sandbox, "/faults/clear");
    expect(sandbox.control.listFaults()).toEqual([]);
  });

  it("changes the settings of its group, and leaves the others alone", async () => {
    const sandbox = await openSandbox({ settings: { latencyMs: 1, delivery: { duplicate: 1 } } });
    const payments = {
      sessionTtlSeconds: "60",
      pendingSeconds: "5",
      feeBps: "100",
      refunds: "pending",
      confirmation: "off",
    };
    await press(sandbox, "/settings/Payments/change", [...Object.entries(payments), ["mute", "card"], ["mute", "mtn"]]);
    expect(sandbox.control.readSettings()).toMatchObject({
      sessionTtlSeconds: 60,
      feeBps: 100,
      mute: ["card", "mtn"],
      holdCardFunds: false,
      latencyMs: 1,
      delivery: { duplicate: 1 },
    });
    const webhooks = {
      attempts: "3",
      baseDelayMs: "10",
      timeoutMs: "500",
      duplicate: "0",
      dropFirst: "0",
      path: "queued",
    };
    const fields = Object.entries(webhooks).map(([name, value]) => [`delivery.${name}`, value] as const);
    await press(sandbox, "/settings/Webhooks/change", [...fields, ["thinEvents", "true"], ["delivery.tamper", "on"]]);
    expect(sandbox.control.readSettings()).toMatchObject({
      thinEvents: true,
      allowLoopbackWebhooks: false,
      delivery: { attempts: 3, tamper: true, reorder: false },
    });
    const wrong = await press(sandbox, "/settings/Payments/change", { ...payments, feeBps: "-1" });
    expect([wrong.status, said(wrong)]).toEqual([400, expect.stringMatching(/^The setting &quot;feeBps&quot; cannot/)]);
    expect(wrong.text).toContain("<h1>Settings</h1>");
  });

  it("changes the state of a membership, an operator, a member and a merchant", async () => {
    const sandbox = await openSandbox();
    const { operator_id } = await sandbox.control.createOperator({ name: "Operator" });
    const { member_id, account } = await sandbox.control.createMember({ name: "Member" });
    const { membership_id } = await sandbox.control.createMembership({ operator_id, account });
    const [merchant] = await sandbox.control.listOrganizations();
    for (const id of [operator_id, member_id, membership_id, merchant?.organization_id]) {
      expect((await press(sandbox, `/network/${id}/move`, { status: "suspended" })).status).toBe(303);
      expect((await press(sandbox, `/network/${id}/move`, { status: "unheard" })).status).toBe(400);
      expect((await open(sandbox, `/network/${id}`)).text).toContain('<span class="badge bad">suspended</span>');
    }
    expect((await api(sandbox, "GET /transactions")).json.error.code).toBe("api_access_suspended");
  });

  it("forgets everything only when the box is ticked", async () => {
    const sandbox = await openSandbox();
    await newSession(sandbox);
    const unsure = await press(sandbox, "/settings/reset");
    expect([unsure.status, (await api(sandbox, "GET /checkout-sessions")).json.total_count]).toEqual([400, 1]);
    expect((await press(sandbox, "/settings/reset", { sure: "yes" })).status).toBe(303);
    expect((await api(sandbox, "GET /checkout-sessions")).json.total_count).toBe(0);
  });
});

describe("a web page of somebody else", () => {
  const foreign: Record<string, Record<string, string>> = {
    "of another site": { "Sec-Fetch-Site": "cross-site", Origin: "http://evil.example" },
    "of another port of this machine": { "Sec-Fetch-Site": "same-site", Origin: "http://127.0.0.1:1" },
    "of an old browser": { Origin: "http://evil.example" },
    "that hides where it is from": { Origin: "null" },
    "that says nothing of itself": {},
  };

  it.each(Object.keys(foreign))("%s cannot press a button", async (name) => {
    const sandbox = await openSandbox();
    await newSession(sandbox);
    const page = await press(sandbox, "/settings/reset", { sure: "yes" }, foreign[name]);
    expect([page.status, said(page)]).toEqual([403, expect.stringContaining("own pages only")]);
    expect((await api(sandbox, "GET /checkout-sessions")).json.total_count).toBe(1);
  });

  it("cannot press one under a name of its own that leads to this machine", async () => {
    const sandbox = await openSandbox();
    const { request } = await import("node:http");
    const { port } = new URL(sandbox.consoleUrl);
    const status = await new Promise((resolve, reject) => {
      const headers = {
        Host: `evil.example:${port}`,
        Origin: `http://evil.example:${port}`,
        "Sec-Fetch-Site": "same-origin",
      };
      const sent = request(`${sandbox.consoleUrl}/faults/clear`, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on("error", reject).end();
    });
    expect(status).toBe(403);
  });

  it("presses one when it is ours, whatever the browser tells", async () => {
    const sandbox = await openSandbox();
    for (const headers of [{ Origin: sandbox.baseUrl }, { "Sec-Fetch-Site": "same-origin" }]) {
      expect((await press(sandbox, "/faults/clear", {}, headers)).status).toBe(303);
    }
  });
});
