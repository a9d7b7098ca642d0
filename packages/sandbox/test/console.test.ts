import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { withPlainSpaces } from "./open-browser.ts";
import { messageOf, openPage, submitForm } from "./open-console.ts";
import {
  api,
  eventually,
  newEndpoint,
  newSession,
  openReceiver,
  openSandbox,
  order,
  paymentEvents,
} from "./open-sandbox.ts";

const everyFixedPath = [
  "",
  "/sessions",
  "/transactions",
  "/refunds",
  "/customers",
  "/disputes",
  "/events",
  "/deliveries",
  "/endpoints",
  "/endpoints/new",
  "/sessions/new",
  "/search",
  "/requests",
  "/network",
  "/network?show=operators",
  "/network?show=members",
  "/network?show=invites",
  "/network?show=merchants",
  "/clock",
  "/faults",
  "/settings",
];

/** `paths`: every page of the console. `secrets`: the endpoint's signing secret and the invite's link. */
type BusySandbox = { sandbox: Sandbox; paths: readonly string[]; secrets: readonly string[] };

/** A sandbox with a record of almost every kind, whose texts try to inject HTML. */
async function busySandbox(): Promise<BusySandbox> {
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
    ...everyFixedPath,
    `/sessions/${session.id}`,
    `/transactions/${payment.transaction_id}`,
    `/refunds/${refund.json.refund_id}`,
    `/customers/${payment.customer_id}`,
    `/disputes/${dispute.dispute_id}`,
    `/events/${event?.id}`,
    `/deliveries/${delivery?.id}`,
    `/endpoints/${delivery?.webhook_id}`,
    ...sandbox.control.listRequests().map(({ request_id }) => `/requests/${request_id}`),
    ...[operator_id, member.member_id, membership.membership_id, organization?.organization_id].map(
      (id) => `/network/${id}`,
    ),
  ];
  return { sandbox, paths, secrets: [secret, invite.link] };
}

describe("the console", () => {
  it.each(everyFixedPath)("the page %j of a new sandbox has exactly one heading", async (path) => {
    const sandbox = await openSandbox();
    const page = await openPage(sandbox, path);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text.match(/<h1/g)).toHaveLength(1);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'.*form-action 'self';.*frame-ancestors 'none'/,
    );
  });

  it("the console escapes texts of merchants and shoppers, and shows no key, secret or invite link", async () => {
    const { sandbox, paths, secrets } = await busySandbox();
    const keys = (await sandbox.control.listOrganizations()).flatMap(({ keys: { test, live } }) => [
      test.secret,
      test.publishable,
      live.secret,
      live.publishable,
    ]);
    expect(keys).toContain(sandbox.keys.live.secret);
    const hidden = [...secrets, ...keys, "whsec_", "svc_sk_", "token=hush", "hidden@example.test", "/return?s="];
    for (const path of paths) {
      const page = await openPage(sandbox, path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.text.match(/<h1/g)).toHaveLength(1);
      const shown = page.text.replace(/<(style|script) nonce.*?<\/\1>/gs, "");
      expect(shown).not.toMatch(/<(script|xss)/);
      for (const text of hidden) {
        expect(shown.includes(text), `${text} on ${path}`).toBe(false);
      }
    }
  });

  it("the pages of a session, an event and a delivery show what the endpoint received", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const session = await newSession(sandbox);
    const payment = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    await receiver.waitFor(1);
    await eventually(async () => (await sandbox.control.listDeliveries()).every(({ state }) => state === "delivered"));
    const [delivery] = await sandbox.control.listDeliveries();
    const sessionPage = await openPage(sandbox, `/sessions/${session.id}`);
    for (const id of [payment.transaction_id, delivery?.event_id, delivery?.id])
      expect(sessionPage.text).toContain(`/${id}"`);
    expect(withPlainSpaces(sessionPage.text)).toContain("25 000 F CFA");
    const eventPage = await openPage(sandbox, `/events/${delivery?.event_id}`);
    const [received] = receiver.received;
    expect(eventPage.text).toContain(`<pre id="body">${received?.body.replaceAll('"', "&quot;")}</pre>`);
    expect(eventPage.text).toContain(`<pre id="signature">${received?.headers["x-service-signature"]}</pre>`);
    const deliveryPage = await openPage(sandbox, `/deliveries/${delivery?.id}`);
    for (const text of ["Attempt 1", "said 200", "X-Service-Event: PAYMENT_SUCCEEDED", receiver.url]) {
      expect(deliveryPage.text).toContain(text);
    }
  });

  it("every event and every delivery names its order, a refund's and a dispute's too", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const authorized_events = [...paymentEvents, "REFUND_CREATED", "DISPUTE_CREATED"];
    await newEndpoint(sandbox, receiver.url, { authorized_events });
    const session = await newSession(sandbox, { title: "Order 1042" });
    const payment = await sandbox.control.paySession(session.id, { method: "card", outcome: "completed" });
    const transaction_id = String(payment.transaction_id);
    await api(sandbox, "POST /refunds", {
      headers: { "Idempotency-Key": "refund-1" },
      body: { transaction_id, amount: 100, refund_type: "partial", reason: "Torn" },
    });
    await sandbox.control.createDispute({ transaction_id });
    for (const path of ["/events", "/deliveries"]) {
      const { text } = await openPage(sandbox, path);
      const rows = text.split("<li>").filter((row) => row.includes('class="about"'));
      expect(rows.map((row) => row.includes("Order 1042"))).toEqual(rows.map(() => true));
      for (const name of ["PAYMENT_SUCCEEDED", "REFUND_CREATED", "DISPUTE_CREATED"]) {
        expect(rows.some((row) => row.includes(name))).toBe(true);
      }
    }
  });

  it("the console shows the redacted bodies of a request by its id", async () => {
    const sandbox = await openSandbox();
    const { headers } = await api(sandbox, "POST /checkout-sessions", {
      body: { ...order, customer_email: "awa@example.test", amount: "12" },
    });
    const page = await openPage(sandbox, `/requests/${headers.get("x-request-id")}`);
    expect(page.text).toContain("&quot;title&quot;: &quot;Order 1042&quot;");
    expect(page.text).toContain("&quot;code&quot;: &quot;validation_failed&quot;");
    expect(page.text).toContain("&quot;customer_email&quot;: &quot;[hidden]&quot;");
    expect(page.text).not.toContain("awa@example.test");
  });

  it("a search for an id opens the page of its resource", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const payment = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const [event] = await sandbox.control.listEvents();
    const [request] = sandbox.control.listRequests();
    const endpoint = await newEndpoint(sandbox, "http://127.0.0.1:9/hooks");
    const idOfTab = {
      sessions: session.id,
      endpoints: endpoint.id,
      transactions: payment.public_id,
      events: event?.id,
      requests: request?.request_id,
    };
    for (const [tab, id] of Object.entries(idOfTab)) {
      expect((await openPage(sandbox, `/search?q=${id}`)).location).toBe(`/sandbox/console/${tab}/${id}`);
    }
  });

  it("the search finds sessions by title or metadata, requests by Idempotency-Key, and ids by their beginning", async () => {
    const sandbox = await openSandbox();
    const headers = { "Idempotency-Key": "order:77:1" };
    const { json } = await api(sandbox, "POST /checkout-sessions", {
      headers,
      body: { ...order, title: "Order 77_a" },
    });
    const other = await newSession(sandbox, { title: "Order 77xa", metadata: { order_id: "SHOP-77" } });
    const payment = await sandbox.control.paySession(json.id, { method: "wave", outcome: "completed" });
    const [request] = sandbox.control.listRequests().filter(({ idempotency_key }) => idempotency_key !== null);
    const found = async (text: string) => (await openPage(sandbox, `/search?q=${encodeURIComponent(text)}`)).text;
    // The characters _ and % are no wildcards.
    expect(await found("order 77_A")).toContain(`/sessions/${json.id}"`);
    expect(await found("order 77_A")).not.toContain(`/sessions/${other.id}"`);
    expect(await found("shop-77")).toContain(`/sessions/${other.id}"`);
    expect(await found(json.id.slice(0, 8))).toContain(`/sessions/${json.id}"`);
    expect(await found(String(payment.public_id).slice(0, 8))).toContain(`/transactions/${payment.transaction_id}"`);
    expect(await found("order:77")).toContain(`/requests/${request?.request_id}"`);
    expect(await found("<b>")).toContain("Nothing contains “&lt;b&gt;”");
    expect(await found("%")).toContain("Nothing contains “%”");
  });

  it("the customers' page finds a name as it is typed, also with a percent sign", async () => {
    const sandbox = await openSandbox();
    for (const name of ["Moussa 100%_Ba", "Moussa 100 Ba"]) await api(sandbox, "POST /customers", { body: { name } });
    const found = await openPage(sandbox, "/customers?search=100%25_b");
    expect(found.text).toContain("Moussa 100%_Ba");
    expect(found.text).not.toContain("Moussa 100 Ba");
    const wildcard = await openPage(sandbox, "/customers?search=M%25a");
    expect(wildcard.text).toContain("No customer has this name or e-mail.");
  });

  it("every time on a page has its date", async () => {
    const sandbox = await openSandbox({ clock: { now: () => Date.UTC(2026, 10, 23, 8, 5, 9) } });
    const session = await newSession(sandbox);
    for (const path of ["", "/sessions", `/sessions/${session.id}`, "/requests"]) {
      // Only the clock of the page's header has an id.
      const times = [...(await openPage(sandbox, path)).text.matchAll(/<time(?! id)[^>]*>([^<]*)</g)];
      expect(times.length, path).toBeGreaterThan(0);
      // The session expires an hour after its creation.
      for (const [, shown] of times) expect(shown).toMatch(/^2026-11-23 (08|09):05:09$/);
    }
  });

  it.each(["/nothing", "/sessions/unknown", "/events/unknown", "/deliveries/unknown", "/network/unknown", "/%"])(
    "the unknown page %s is 404",
    async (path) => {
      const page = await openPage(await openSandbox(), path);
      expect(page.status).toBe(404);
      expect(page.text).toMatch(/<h1>[^<]* not found<\/h1>/);
    },
  );

  it("every list of the console is paged after a thousand sessions", async () => {
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
    for (const path of everyFixedPath) {
      const { text } = await openPage(sandbox, path);
      expect(Buffer.byteLength(text), path).toBeLessThan(60 * 1024);
    }
    const last = await openPage(sandbox, "/sessions?page=50");
    expect(last.text.match(/<li><a href="\/sandbox\/console\/sessions\//g)).toHaveLength(20);
    expect(last.text).toContain("Newer");
    expect(last.text).not.toContain("Older");
    expect((await openPage(sandbox, "/sessions?status=completed")).text).toContain("Older");
  });
});

describe("the console in French", () => {
  const french = { headers: { Cookie: "sandbox_language=fr" } };

  it("a link in the menu opens the same page in French, and the choice is kept", async () => {
    const sandbox = await openSandbox();
    const english = await openPage(sandbox, "/sessions?status=open");
    const link = /href="([^"]*)" lang="fr" hreflang="fr">Français</.exec(english.text)?.[1]?.replaceAll("&amp;", "&");
    expect(link).toBe("/sandbox/console/sessions?status=open&lang=fr");
    const chosen = await fetch(new URL(link ?? "", sandbox.consoleUrl), { redirect: "manual" });
    expect([chosen.status, chosen.headers.get("location")]).toEqual([303, "/sandbox/console/sessions?status=open"]);
    expect(chosen.headers.get("set-cookie")).toMatch(/^sandbox_language=fr; Path=\/sandbox\/console;/);
    const page = await (await fetch(`${sandbox.consoleUrl}/sessions`, french)).text();
    expect(page).toContain('<html lang="fr">');
    expect(page).toContain("une session apparaît quand une boutique ouvre un paiement");
    expect(page).toMatch(/lang="en" hreflang="en">English</);
  });

  it("a browser that prefers French gets French pages, also when the page is unknown", async () => {
    const sandbox = await openSandbox();
    const headers = { "Accept-Language": "fr-CI,fr;q=0.9,en;q=0.5" };
    const unknown = await fetch(`${sandbox.consoleUrl}/nothing`, { headers });
    expect([unknown.status, await unknown.text()]).toEqual([
      404,
      expect.stringContaining("<h1>Cette page n’existe pas</h1>"),
    ]);
  });

  it("what the console refuses is said in French, and what the API answered is quoted as English", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.expireSession(session.id);
    const headers = { Origin: sandbox.baseUrl, ...french.headers };
    const own = await submitForm(sandbox, "/clock/move", { amount: "soon", unit: "hours" }, headers);
    expect(messageOf(own)).toBe("Indiquez un nombre entier, 1 ou plus.");
    const answer = await submitForm(
      sandbox,
      `/sessions/${session.id}/pay`,
      { method: "wave", outcome: "completed" },
      headers,
    );
    expect(answer.text).toContain('<span lang="en">The checkout session is expired</span>');
  });

  it("no page says in French what it says in English, but names of the API and of the shops", async () => {
    const { sandbox, paths } = await busySandbox();
    const words = (text: string) =>
      new Set(
        [...text.replace(/<(style|script|pre|code|time|datalist).*?<\/\1>/gs, "").matchAll(/>([^<>]*[a-z]{3}[^<>]*)</g)]
          .map(([, shown = ""]) => shown.trim())
          // Two words in a row are ours: names of the API and of shops have capitals, dots or underscores.
          .filter((shown) => /[A-Za-z]{3,} [a-z]{2,}/.test(shown)),
      );
    const untranslated = [];
    for (const path of paths) {
      const english = words((await openPage(sandbox, path)).text);
      const shown = words(await (await fetch(sandbox.consoleUrl + path, french)).text());
      untranslated.push(...[...shown].filter((text) => english.has(text)).map((text) => `${path}: ${text}`));
    }
    expect(untranslated).toEqual([]);
  });
});
