import { verifyWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { messageOf, openPage, type Page, submitForm } from "./open-console.ts";
import { api, eventually, newSession, openReceiver, openSandbox, type Received } from "./open-sandbox.ts";

/** Registers an endpoint with the form of the console. */
async function createByForm(sandbox: Sandbox, url: string, events = ["PAYMENT_SUCCEEDED"]): Promise<Page> {
  const [merchant] = await sandbox.control.listOrganizations();
  const fields = { url, description: "The shop", merchant: merchant?.organization_id ?? "", environment: "test" };
  return submitForm(sandbox, "/endpoints/new", [
    ...Object.entries(fields),
    ...events.map((name): [string, string] => ["events", name]),
  ]);
}

/** The signing secret that a page shows after its endpoint was created or its secret was replaced. */
function secretOn({ text }: Page): string {
  return /<pre id="secret">(whsec_[^<]+)</.exec(text)?.[1] ?? "";
}

/** The path of the endpoint's own page in the console. */
function endpointOn({ text }: Page): string {
  return /data-url="\/sandbox\/console(\/endpoints\/wh_[^"]+)"/.exec(text)?.[1] ?? "";
}

function isSigned({ body, headers }: Received, secret: string): boolean {
  const signature = headers["x-service-signature"];
  return verifyWebhook({ bytes: Buffer.from(body), signature, secrets: [secret] }) !== null;
}

async function pay(sandbox: Sandbox): Promise<void> {
  const { id } = await newSession(sandbox);
  await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
}

describe("the endpoints in the console", () => {
  it("an endpoint that the console created gets deliveries signed with the secret that was shown once", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const created = await createByForm(sandbox, receiver.url);
    expect([created.status, messageOf(created)]).toEqual([200, "The endpoint is registered."]);
    await pay(sandbox);
    const [delivery] = await receiver.waitFor(1);
    expect(delivery && isSigned(delivery, secretOn(created))).toBe(true);
    const page = await openPage(sandbox, endpointOn(created));
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("whsec_");
    expect((await openPage(sandbox, "/endpoints")).text).toContain(endpointOn(created));
    expect((await api(sandbox, "GET /webhooks")).json).toMatchObject([{ url: receiver.url, description: "The shop" }]);
  });

  it("a form that is rejected names its problem and keeps what was typed", async () => {
    const sandbox = await openSandbox();
    const refused = await createByForm(sandbox, "http://user:pass@127.0.0.1/hooks", ["REFUND_FAILED"]);
    expect([refused.status, messageOf(refused)]).toEqual([
      400,
      "url: must not have a user or password: deliveries are authenticated by their signature.",
    ]);
    expect(refused.text).toContain('value="http://user:pass@127.0.0.1/hooks"');
    expect(refused.text).toMatch(/value="REFUND_FAILED" checked/);
    expect(refused.text).not.toMatch(/value="PAYMENT_SUCCEEDED" checked/);
    expect(messageOf(await createByForm(sandbox, "http://127.0.0.1/hooks", []))).toMatch(/^authorized_events: /);
  });

  it("the new secret signs after a rotation, and the old secret does not", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const created = await createByForm(sandbox, receiver.url);
    const rotated = await submitForm(sandbox, `${endpointOn(created)}/rotate`);
    expect(secretOn(rotated)).not.toBe(secretOn(created));
    await pay(sandbox);
    const [delivery] = await receiver.waitFor(1);
    expect(delivery && isSigned(delivery, secretOn(rotated))).toBe(true);
    expect(delivery && isSigned(delivery, secretOn(created))).toBe(false);
  });

  it("a test event is sent at once, and its page says what the endpoint answered", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const endpoint = endpointOn(await createByForm(sandbox, receiver.url));
    expect((await submitForm(sandbox, `${endpoint}/test`)).location).toBe(`/sandbox/console${endpoint}?done=tested`);
    expect(receiver.received[0]?.headers["x-service-event"]).toBe("test.webhook");
    receiver.respondWith(500);
    const failed = await submitForm(sandbox, `${endpoint}/test`);
    expect([failed.status, messageOf(failed)]).toEqual([400, "The webhook endpoint answered 500: said 500"]);
  });

  it("failed deliveries are sent again, the oldest first, until a delivery fails", async () => {
    const sandbox = await openSandbox({ settings: { delivery: { attempts: 1 } } });
    const receiver = await openReceiver();
    receiver.respondWith(503);
    const endpoint = endpointOn(await createByForm(sandbox, receiver.url));
    const states = async () => (await sandbox.control.listDeliveries()).map(({ state }) => state).reverse();
    for (const count of [1, 2, 3]) {
      await pay(sandbox);
      await eventually(async () => (await states()).filter((state) => state === "failed").length === count);
    }
    expect((await openPage(sandbox, endpoint)).text).toContain("Resend 3 failed deliveries");
    receiver.respondWith(200, 503);
    expect((await submitForm(sandbox, `${endpoint}/resend`)).status).toBe(400);
    expect(await states()).toEqual(["delivered", "failed", "failed"]);
    receiver.respondWith(200);
    expect((await submitForm(sandbox, `${endpoint}/resend`)).status).toBe(303);
    expect(await states()).toEqual(["delivered", "delivered", "delivered"]);
    const bodies = receiver.received.map(({ body }) => body);
    expect(new Set(bodies).size).toBe(3);
  });

  it("one press sends the oldest twenty failed deliveries again, and the message says when others are left", async () => {
    const sandbox = await openSandbox({ settings: { delivery: { attempts: 1 } } });
    const receiver = await openReceiver();
    receiver.respondWith(503);
    const endpoint = endpointOn(await createByForm(sandbox, receiver.url));
    const page = { limit: 100, offset: 0 };
    const failedCount = async () =>
      (await sandbox.control.listDeliveries({ page })).filter(({ state }) => state === "failed").length;
    for (let payment = 0; payment < 22; payment += 1) await pay(sandbox);
    await eventually(async () => (await failedCount()) === 22);
    expect((await openPage(sandbox, endpoint)).text).toContain("Resend 20 of 22 failed deliveries");
    receiver.respondWith(200);
    expect((await submitForm(sandbox, `${endpoint}/resend`)).location).toContain("done=resent-oldest");
    expect(await failedCount()).toBe(2);
    expect((await submitForm(sandbox, `${endpoint}/resend`)).location).toMatch(/done=resent$/);
    expect(await failedCount()).toBe(0);
  });

  it("a delivery that is sent again reaches its own endpoint only", async () => {
    const sandbox = await openSandbox();
    const [receiver, other] = [await openReceiver(), await openReceiver()];
    await createByForm(sandbox, receiver.url);
    await createByForm(sandbox, other.url);
    await pay(sandbox);
    await eventually(async () => (await sandbox.control.listDeliveries()).every(({ state }) => state === "delivered"));
    const delivery = (await sandbox.control.listDeliveries()).find(({ url }) => url === receiver.url);
    const { location } = await submitForm(sandbox, `/deliveries/${delivery?.id}/resend`);
    expect(location).toMatch(/^\/sandbox\/console\/deliveries\/[0-9a-f-]{36}\?done=sent$/);
    await receiver.waitFor(2);
    expect(other.received).toHaveLength(1);
  });

  it("a deactivated endpoint gets no event until it is activated, and a deleted endpoint has no page", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    const endpoint = endpointOn(await createByForm(sandbox, receiver.url));
    await submitForm(sandbox, `${endpoint}/deactivate`);
    expect((await openPage(sandbox, endpoint)).text).toContain(">inactive</span>");
    await pay(sandbox);
    await submitForm(sandbox, `${endpoint}/activate`);
    await pay(sandbox);
    await receiver.waitFor(1);
    expect(await sandbox.control.listDeliveries()).toHaveLength(1);
    expect((await submitForm(sandbox, `${endpoint}/delete`)).location).toBe(
      "/sandbox/console/endpoints?done=endpoint-deleted",
    );
    expect((await openPage(sandbox, endpoint)).status).toBe(404);
  });
});

describe("the buttons of a payment in the console", () => {
  it("a session that the console opened can be paid and refunded by buttons", async () => {
    const sandbox = await openSandbox();
    const [merchant] = await sandbox.control.listOrganizations();
    const fields = { amount: "39.90", currency_code: "USD", title: "Hamper", customer_email: "", environment: "test" };
    const form = { ...fields, merchant: merchant?.organization_id ?? "" };
    const opened = await submitForm(sandbox, "/sessions/new", form);
    const id = /sessions\/([0-9a-f-]{36})\?done=session-opened/.exec(opened.location ?? "")?.[1];
    expect((await api(sandbox, `GET /checkout-sessions/${id}`)).json).toMatchObject({ amount: 3990, title: "Hamper" });
    await submitForm(sandbox, `/sessions/${id}/pay`, { method: "card", outcome: "completed" });
    const { text } = await openPage(sandbox, `/sessions/${id}`);
    const transaction = /transactions\/([0-9a-f-]{36})\/refund/.exec(text)?.[1];
    expect(text).toContain('name="amount" value="39.90"');
    const refunded = await submitForm(sandbox, `/transactions/${transaction}/refund`, { amount: "10", reason: "torn" });
    expect(refunded.location).toMatch(/^\/sandbox\/console\/refunds\/[0-9a-f-]{36}\?done=refunded$/);
    const [refund] = (await api(sandbox, "GET /refunds")).json.data;
    expect(refund).toMatchObject({ amount: 1000, reason: "torn", status: "completed" });
    const tooMuch = await submitForm(sandbox, `/transactions/${transaction}/refund`, { amount: "30" });
    expect([tooMuch.status, messageOf(tooMuch)]).toEqual([400, "Only 2990 of this transaction can be refunded"]);
    const unreadable = await submitForm(sandbox, `/transactions/${transaction}/refund`, { amount: "1.234" });
    expect(messageOf(unreadable)).toBe("Enter the amount in USD as a number such as 50.00.");
  });

  it("the form of a session that is rejected names its problem and keeps what was typed", async () => {
    const sandbox = await openSandbox();
    const [merchant] = await sandbox.control.listOrganizations();
    const form = { merchant: merchant?.organization_id ?? "", environment: "test", title: "Hamper" };
    const fields = { ...form, amount: "5000", currency_code: "XOF", customer_email: "awa@" };
    const refused = await submitForm(sandbox, "/sessions/new", fields);
    expect([refused.status, messageOf(refused)]).toEqual([400, "customer_email: must be a valid email address."]);
    expect(refused.text).toContain('value="Hamper"');
    const cents = await submitForm(sandbox, "/sessions/new", { ...form, amount: "5000.5", currency_code: "XOF" });
    expect(messageOf(cents)).toBe("Enter the amount in XOF as a number such as 5000.");
  });
});
