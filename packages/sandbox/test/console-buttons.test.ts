import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { messageOf, openPage, submitForm } from "./open-console.ts";
import { api, eventually, newEndpoint, newSession, openReceiver, openSandbox, sessionCount } from "./open-sandbox.ts";

describe("a button of the console", () => {
  it("the console pays one session and expires another session", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const paid = await submitForm(sandbox, `/sessions/${session.id}/pay`, { method: "wave", outcome: "completed" });
    expect([paid.status, paid.location]).toEqual([303, `/sandbox/console/sessions/${session.id}?done=paid`]);
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("completed");
    expect(messageOf(await openPage(sandbox, `/sessions/${session.id}?done=paid`))).toBe(
      "The payment attempt ran with the outcome that you chose.",
    );
    const other = await newSession(sandbox);
    await submitForm(sandbox, `/sessions/${other.id}/expire`);
    expect((await api(sandbox, `GET /checkout-sessions/${other.id}`)).json.status).toBe("expired");
  });

  it("a rejected action shows its error on the page of its button", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.expireSession(session.id);
    const page = await submitForm(sandbox, `/sessions/${session.id}/pay`, { method: "wave", outcome: "completed" });
    expect([page.status, messageOf(page)]).toEqual([409, "The checkout session is expired"]);
    expect(page.text).toContain("Order 1042");
    expect((await submitForm(sandbox, "/sessions/unknown/expire")).status).toBe(404);
  });

  it("the console completes and fails pending transactions, and completes an expired transaction late", async () => {
    const sandbox = await openSandbox();
    const startPayment = async () => {
      const session = await newSession(sandbox);
      return sandbox.control.paySession(session.id, { method: "wave", outcome: "pending" });
    };
    const readTransaction = async (id: unknown) => (await api(sandbox, `GET /transactions/${id}`)).json;
    const [first, second, third] = [await startPayment(), await startPayment(), await startPayment()];
    await submitForm(sandbox, `/transactions/${first.transaction_id}/complete`);
    await submitForm(sandbox, `/transactions/${second.transaction_id}/fail`, { failure_code: "insufficient_funds" });
    await sandbox.control.expireSession(String(third.checkout_session_id));
    await submitForm(sandbox, `/transactions/${third.transaction_id}/complete`);
    expect((await readTransaction(first.transaction_id)).status).toBe("completed");
    expect(await readTransaction(second.transaction_id)).toMatchObject({
      status: "failed",
      failure_code: "insufficient_funds",
    });
    expect((await readTransaction(third.transaction_id)).status).toBe("completed");
  });

  it("the console completes a refund and closes a dispute", async () => {
    const sandbox = await openSandbox({ settings: { refunds: "pending" } });
    const session = await newSession(sandbox);
    const { transaction_id } = await sandbox.control.paySession(session.id, { method: "card", outcome: "completed" });
    const { json } = await api(sandbox, "POST /refunds", {
      headers: { "Idempotency-Key": "refund-1" },
      body: { transaction_id, amount: 100, refund_type: "partial" },
    });
    await submitForm(sandbox, `/refunds/${json.refund_id}/complete`);
    expect((await api(sandbox, `GET /refunds/${json.refund_id}`)).json.status).toBe("completed");
    await submitForm(sandbox, `/transactions/${transaction_id}/dispute`);
    const disputes = await openPage(sandbox, "/disputes");
    const id = /\/disputes\/([0-9a-f-]{36})"/.exec(disputes.text)?.[1];
    await submitForm(sandbox, `/disputes/${id}/close`, { outcome: "lost" });
    expect((await openPage(sandbox, `/disputes/${id}`)).text).toContain(">lost</span>");
  });

  it("the console retries a failed delivery with the same bytes and sends an event again", async () => {
    const sandbox = await openSandbox({ settings: { delivery: { attempts: 1 } } });
    const receiver = await openReceiver();
    receiver.respondWith(500);
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    await eventually(async () => (await sandbox.control.listDeliveries()).some(({ state }) => state === "failed"));
    const [delivery] = await sandbox.control.listDeliveries();
    const refused = await submitForm(sandbox, `/deliveries/${delivery?.id}/retry`);
    expect([refused.status, messageOf(refused)]).toEqual([400, "The webhook endpoint answered 500: said 500"]);
    receiver.respondWith(200);
    const retried = await submitForm(sandbox, `/deliveries/${delivery?.id}/retry`);
    expect(retried.location).toBe(`/sandbox/console/deliveries/${delivery?.id}?done=retried`);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await sandbox.control.listDeliveries()).toMatchObject([{ state: "delivered", attempts: [{}, {}, {}] }]);
    expect((await submitForm(sandbox, `/deliveries/${delivery?.id}/retry`)).status).toBe(409);
    const sent = await submitForm(sandbox, `/events/${delivery?.event_id}/deliver`);
    expect(sent.location).toBe(`/sandbox/console/events/${delivery?.event_id}?done=sent`);
    await receiver.waitFor(4);
  });

  it("the console moves the clock", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await submitForm(sandbox, "/clock/move", { amount: "1", unit: "minutes" });
    await submitForm(sandbox, "/clock/move", { amount: "2", unit: "hours" });
    expect(sandbox.control.readClock().offsetMs).toBe(60_000 + 7_200_000);
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("expired");
    expect((await submitForm(sandbox, "/clock/move", { amount: "soon", unit: "hours" })).status).toBe(400);
    expect((await openPage(sandbox, "/clock")).text).toContain("2 h 1 min");
  });

  it("the console adds faults of every kind and removes them", async () => {
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
      const { location } = await submitForm(sandbox, "/faults/add", { ...form, kind, when: "" });
      expect(location).toBe("/sandbox/console/faults?done=fault-added");
    }
    expect(sandbox.control.listFaults()).toMatchObject([
      { status: 503, times: 2, when: "before" },
      { reset: true },
      { delayMs: 250 },
      { cutBody: true, when: "after" },
      { patch: { amount: 1 } },
    ]);
    const errorFault = {
      kind: "status",
      status: "409",
      code: "idempotency_in_progress",
      share: "0.5",
      seed: "a",
      times: "",
    };
    await submitForm(sandbox, "/faults/add", { ...form, ...errorFault, forMs: "60000", repeat: "yes" });
    await submitForm(sandbox, "/faults/add", { ...form, kind: "emptyObject" });
    await submitForm(sandbox, "/faults/add", { ...form, kind: "emptyBody", times: "" });
    expect(sandbox.control.listFaults().slice(5)).toMatchObject([
      { status: 409, code: "idempotency_in_progress", share: 0.5, seed: "a", repeat: true, until: expect.any(String) },
      { empty: "object", times: 2 },
      { empty: "body", times: 1 },
    ]);
    const { text } = await openPage(sandbox, "/faults");
    for (const shown of ["error 409 idempotency_in_progress", "repeats only", "a share of 0.5", "200 with {}"]) {
      expect(text).toContain(shown);
    }
    const wrong = await submitForm(sandbox, "/faults/add", { ...form, kind: "patch", patch: "{" });
    expect([wrong.status, messageOf(wrong)]).toEqual([400, "The change of the answer must be a JSON object."]);
    await submitForm(sandbox, "/faults/clear");
    expect(sandbox.control.listFaults()).toEqual([]);
  });

  it("a settings form changes the settings of its group only", async () => {
    const sandbox = await openSandbox({ settings: { latencyMs: 1, delivery: { duplicate: 1 } } });
    const payments = {
      sessionTtlSeconds: "60",
      pendingSeconds: "5",
      feeBps: "100",
      refunds: "pending",
      disputedRefunds: "refused",
      refundReason: "uppercased",
      refundReasonLength: "12",
      confirmation: "off",
    };
    await submitForm(sandbox, "/settings/Payments/change", [
      ...Object.entries(payments),
      ["mute", "card"],
      ["mute", "mtn"],
    ]);
    expect(sandbox.control.readSettings()).toMatchObject({
      sessionTtlSeconds: 60,
      feeBps: 100,
      disputedRefunds: "refused",
      refundReason: "uppercased",
      refundReasonLength: 12,
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
    const delivery = Object.entries(webhooks).map(([name, value]): [string, string] => [`delivery.${name}`, value]);
    // A browser sends no field for a checkbox that is not ticked, such as allowLoopbackWebhooks and delivery.reorder.
    await submitForm(sandbox, "/settings/Webhooks/change", [
      ...delivery,
      ["thinEvents", "true"],
      ["delivery.tamper", "on"],
    ]);
    expect(sandbox.control.readSettings()).toMatchObject({
      thinEvents: true,
      allowLoopbackWebhooks: false,
      delivery: { attempts: 3, tamper: true, reorder: false },
    });
    const lists = { order: "shuffled", seed: "3", lateRowsMs: "250", shiftBy: "-1" };
    const listFields = Object.entries(lists).map(([name, value]): [string, string] => [`lists.${name}`, value]);
    await submitForm(sandbox, "/settings/Lists/change", listFields);
    expect(sandbox.control.readSettings().lists).toEqual({ order: "shuffled", seed: 3, lateRowsMs: 250, shiftBy: -1 });
    const wrong = await submitForm(sandbox, "/settings/Payments/change", { ...payments, feeBps: "-1" });
    expect([wrong.status, messageOf(wrong)]).toEqual([
      400,
      expect.stringMatching(/^The setting &quot;feeBps&quot; cannot/),
    ]);
    expect(wrong.text).toContain("<h1>Settings</h1>");
  });

  it("the console changes the status of a membership, an Operator, a member and a merchant", async () => {
    const sandbox = await openSandbox();
    const { operator_id } = await sandbox.control.createOperator({ name: "Operator" });
    const { member_id, account } = await sandbox.control.createMember({ name: "Member" });
    const { membership_id } = await sandbox.control.createMembership({ operator_id, account });
    const [merchant] = await sandbox.control.listOrganizations();
    for (const id of [operator_id, member_id, membership_id, merchant?.organization_id]) {
      expect((await submitForm(sandbox, `/network/${id}/move`, { status: "suspended" })).status).toBe(303);
      expect((await submitForm(sandbox, `/network/${id}/move`, { status: "unknown" })).status).toBe(400);
      expect((await openPage(sandbox, `/network/${id}`)).text).toContain('<span class="badge bad">suspended</span>');
    }
    expect((await api(sandbox, "GET /transactions")).json.error.code).toBe("api_access_suspended");
  });

  it("a reset needs its checkbox to be ticked", async () => {
    const sandbox = await openSandbox();
    await newSession(sandbox);
    const unsure = await submitForm(sandbox, "/settings/reset");
    expect([unsure.status, await sessionCount(sandbox)]).toEqual([400, 1]);
    expect((await submitForm(sandbox, "/settings/reset", { sure: "yes" })).status).toBe(303);
    expect(await sessionCount(sandbox)).toBe(0);
  });
});

describe("a form of a page outside the console", () => {
  const foreignHeaders: Record<string, Record<string, string>> = {
    "of another site": { "Sec-Fetch-Site": "cross-site", Origin: "http://evil.example" },
    "of another port of this machine": { "Sec-Fetch-Site": "same-site", Origin: "http://127.0.0.1:1" },
    "of another site in an old browser": { Origin: "http://evil.example" },
    "with the origin null": { Origin: "null" },
    "without any origin header": {},
  };

  it.each(Object.keys(foreignHeaders))("a form %s is rejected", async (name) => {
    const sandbox = await openSandbox();
    await newSession(sandbox);
    const page = await submitForm(sandbox, "/settings/reset", { sure: "yes" }, foreignHeaders[name]);
    expect([page.status, messageOf(page)]).toEqual([403, expect.stringContaining("only from pages of the console")]);
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("a form under a foreign host name that resolves to this machine is rejected", async () => {
    const sandbox = await openSandbox();
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

  it("a form of the console is accepted with Origin or with Sec-Fetch-Site", async () => {
    const sandbox = await openSandbox();
    for (const headers of [{ Origin: sandbox.baseUrl }, { "Sec-Fetch-Site": "same-origin" }]) {
      expect((await submitForm(sandbox, "/faults/clear", {}, headers)).status).toBe(303);
    }
  });
});
