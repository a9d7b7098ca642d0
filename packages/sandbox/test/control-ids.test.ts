import { describe, expect, it } from "vitest";
import { openPage, submitForm } from "./open-console.ts";
import { openNetwork } from "./open-network.ts";
import { api, control, newSession, openSandbox } from "./open-sandbox.ts";

const pendingPayment = { method: "card", outcome: "pending" };
type SessionIds = { id: string; checkout_url: string };

/** The `cs_…` id, which is the last part of the hosted page's URL. */
const prefixedIdOf = (session: SessionIds) => session.checkout_url.split("/").at(-1) ?? "";

describe("ids in the control API", () => {
  it("the UUID of a session, in upper or lower case, and its cs_… id name the same session", async () => {
    const sandbox = await openSandbox();
    const idForms = [({ id }: SessionIds) => id, ({ id }: SessionIds) => id.toUpperCase(), prefixedIdOf];
    for (const idOf of idForms) {
      const session = await newSession(sandbox);
      const id = idOf(session);
      expect(
        (await control(sandbox, `POST /checkout-sessions/${id}/pay`, pendingPayment)).json.checkout_session_id,
      ).toBe(session.id);
      expect((await control(sandbox, `GET /events?checkout_session_id=${id}`)).json.total_count).toBe(1);
      expect(await sandbox.control.listEvents({ sessionId: id })).toHaveLength(1);
      expect((await control(sandbox, `POST /checkout-sessions/${id}/expire`)).json).toMatchObject({
        id: session.id,
        status: "expired",
      });
      expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("expired");
    }
    expect((await control(sandbox, "POST /checkout-sessions/cs_22222222222222/pay", pendingPayment)).status).toBe(404);
    expect((await control(sandbox, "GET /events?checkout_session_id=cs_22222222222222")).json.total_count).toBe(0);
  });

  it("transactions, customers and members are found by their UUID and by their id with a prefix", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const { transaction_id, public_id, customer_id } = (
      await control(sandbox, `POST /checkout-sessions/${session.id}/pay`, pendingPayment)
    ).json;
    expect((await control(sandbox, `POST /transactions/${public_id}/complete`)).json.transaction_id).toBe(
      transaction_id,
    );
    const dispute = await control(sandbox, "POST /disputes", { transaction_id: public_id });
    expect(dispute.json.transaction_id).toBe(transaction_id);
    const customer = (await api(sandbox, `GET /customers/${customer_id}`)).json;
    for (const id of [customer.public_id, customer_id, customer_id.toUpperCase()]) {
      expect((await control(sandbox, "POST /subscriptions", { customer_id: id })).json.customer_id).toBe(customer_id);
    }
    const { member } = await openNetwork(sandbox);
    for (const [id, status] of [
      [member.account, "inactive"],
      [member.member_id.toUpperCase(), "active"],
    ]) {
      expect((await control(sandbox, `PATCH /members/${id}`, { status })).json).toMatchObject({
        member_id: member.member_id,
        status,
      });
    }
  });

  it("a blocking invoice takes the cus_… id of its customer and returns the UUID", async () => {
    const sandbox = await openSandbox();
    const { customer_id, public_id } = (await api(sandbox, "POST /customers", { body: { name: "Awa" } })).json;
    const [shop] = await sandbox.control.listOrganizations();
    const invoice = {
      customer_id: public_id,
      invoice_id: "in_1",
      invoice_number: "1",
      amount_remaining: 100,
      currency_code: "XOF",
      checkout_url: "https://pay.example/1",
    };
    const path = `PATCH /organizations/${shop?.organization_id}`;
    expect((await control(sandbox, path, { blocking_invoice: invoice })).json.blocking_invoice.customer_id).toBe(
      customer_id,
    );
    expect((await api(sandbox, "POST /checkout-sessions", { body: { amount: 5000, customer_id } })).json).toMatchObject(
      {
        payment_required: true,
      },
    );
    const unknown = { ...invoice, customer_id: "cus_22222222222222" };
    expect((await control(sandbox, path, { blocking_invoice: unknown })).status).toBe(404);
  });
});

describe("unknown fields", () => {
  it("routes of organizations, clock, snapshots and transactions refuse unknown fields and change nothing", async () => {
    const sandbox = await openSandbox();
    const [shop] = await sandbox.control.listOrganizations();
    for (const [route, body, field] of [
      ["POST /organizations", { name: "Shop", status: "active" }, "status"],
      [`PATCH /organizations/${shop?.organization_id}`, { name: "New", currency: "EUR" }, "currency"],
      [`PATCH /organizations/${shop?.organization_id}`, { page: { require_fax: true } }, "page.require_fax"],
      ["POST /clock", { advanceMs: 1, advanceHours: 1 }, "advanceHours"],
      ["POST /snapshots", { name: "a", comment: "b" }, "comment"],
      ["POST /transactions/x/fail", { failure: "card_declined" }, "failure"],
    ] as const) {
      const { status, json } = await control(sandbox, route, body);
      expect([route, status, json.error.message]).toEqual([route, 400, `Unknown field "${field}".`]);
    }
    expect(await sandbox.control.listOrganizations()).toEqual([shop]);
  });
});

describe("ids in the console", () => {
  it("pages, buttons and the search take every form of an id", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const prefixedId = prefixedIdOf(session);
    const paid = await submitForm(sandbox, `/sessions/${prefixedId}/pay`, { method: "card", outcome: "completed" });
    expect(paid.status).toBe(303);
    const { transaction_id } = (await api(sandbox, `GET /checkout-sessions/${session.id}`)).json;
    const { public_id, customer_id } = (await api(sandbox, `GET /transactions/${transaction_id}`)).json;
    const customer = (await api(sandbox, `GET /customers/${customer_id}`)).json;
    const { member, operator, membershipId } = await openNetwork(sandbox);
    for (const path of [
      `/sessions/${prefixedId}`,
      `/sessions/${session.id.toUpperCase()}`,
      `/transactions/${public_id}`,
      `/customers/${customer.public_id}`,
      `/network/${member.account}`,
    ]) {
      expect([path, (await openPage(sandbox, path)).status]).toEqual([path, 200]);
    }
    expect((await openPage(sandbox, `/events?session=${prefixedId}`)).text).toContain("PAYMENT_SUCCEEDED");
    for (const id of [
      prefixedId,
      public_id,
      customer.public_id,
      member.account,
      session.id.toUpperCase(),
      ` ${transaction_id} `, // copied with spaces around it
      operator.operator_id,
      operator.organization_id,
      membershipId,
    ]) {
      const found = await openPage(sandbox, `/search?q=${encodeURIComponent(id)}`);
      expect([id, found.status]).toEqual([id, 303]);
      expect((await openPage(sandbox, found.location?.replace("/sandbox/console", "") ?? "")).status).toBe(200);
    }
    const changed = await submitForm(sandbox, `/network/${member.account}/move`, { status: "inactive" });
    expect(changed.status).toBe(303);
  });
});
