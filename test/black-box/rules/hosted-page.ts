import { describe, expect, it } from "vitest";
import { minute, type Send, second, startService } from "../service.ts";
import { choicesOf, type Page, press, visit } from "../shopper.ts";
import { listen, openSession, paymentEvents, readSession, readTransaction, transactionOf } from "../steps.ts";

const shopper = {
  name: "Awa Diop",
  email: "awa@example.test",
  phone: "+2250700000000",
  mobile_phone: "+2250700000123",
};
const card = { method: "card", card_number: "4242 4242 4242 4242", card_expiry: "12/40", card_cvc: "123" };
const success_url = "https://shop.example/return?session={CHECKOUT_SESSION_ID}&o=1042";
const cancel_url = "https://shop.example/cart";

describe("The hosted page", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  /** Opens the hosted page of a new session. */
  async function openPage(
    change: object = {},
    call: Send = service.call,
  ): Promise<{ id: string; page: Page; url: string }> {
    const session = await openSession(call, { success_url, cancel_url, ...change });
    const url = session.text("checkout_url");
    return { id: session.text("id"), url, page: await visit(url) };
  }
  const payBy = async (values: object, change: object = {}, call: Send = service.call) => {
    const { id, page, url } = await openPage(change, call);
    return { id, url, next: await press(page, /^Pay/, { ...shopper, ...values }) };
  };
  const statusOf = async (id: string) => (await readSession(service.call, id)).text("status");
  const requirement = (page: Page, name: string) => {
    const field = page.fields.find((candidate) => candidate.name === name);
    if (field === undefined) return "hidden";
    return field.required ? "required" : "optional";
  };

  it("the hosted page shows title, description, amount and the merchant's name", async () => {
    const [organization] = (await service.call("GET /organizations")).rows();
    const { page } = await openPage({ title: "Order 77", description: "Two boubous" });
    expect(page.text).toContain("Order 77");
    expect(page.text).toContain("Two boubous");
    expect(page.text).toMatch(/5.000 F CFA/);
    expect(page.text).toContain(String(organization?.name));
  });

  it("the hosted page shows a merchant's input as text, never as markup", async () => {
    const title = `<img src=x onerror=alert(1)> "Tom & Jerry"`;
    const { page } = await openPage({ title, description: "<script>alert(1)</script>" });
    expect(page.html).not.toMatch(/<img src=x|<script>alert/);
    expect(page.text).toContain(title);
  });

  it.each([
    ["XOF", ["card", "mtn", "wave"]],
    ["USD", ["card"]],
    ["EUR", ["card"]],
  ])("the hosted page offers for %s the methods %j", async (currency_code, methods) => {
    const { page } = await openPage({ currency_code });
    const choices = choicesOf(page, "method");
    const offered =
      choices.length > 0 ? choices : page.fields.filter(({ name }) => name === "method").map(({ value }) => value);
    expect([...offered].sort()).toEqual(methods);
  });

  it("name and e-mail are required, or hidden if the session does not require them", async () => {
    const byDefault = (await openPage()).page;
    expect([requirement(byDefault, "name"), requirement(byDefault, "email")]).toEqual(["required", "required"]);
    const noName = (await openPage({ require_name: false })).page;
    expect([requirement(noName, "name"), requirement(noName, "email")]).toEqual(["hidden", "required"]);
    const noEmail = (await openPage({ require_email: false })).page;
    expect([requirement(noEmail, "name"), requirement(noEmail, "email")]).toEqual(["required", "hidden"]);
  });

  it("a phone that the session does not require is optional if the e-mail is required, else hidden", async () => {
    expect(requirement((await openPage({ require_phone: true })).page, "phone")).toBe("required");
    expect(requirement((await openPage()).page, "phone")).toBe("optional");
    expect(requirement((await openPage({ require_email: false })).page, "phone")).toBe("hidden");
  });

  it("the billing address is shown and required only if the session requires it", async () => {
    expect(requirement((await openPage()).page, "address")).toBe("hidden");
    expect(requirement((await openPage({ require_billing_address: true })).page, "address")).toBe("required");
  });

  it("prefilled values are filled in and do not change which fields are shown", async () => {
    const { page } = await openPage({
      customer_name: "Awa D.",
      customer_email: "awa@example.test",
      customer_city: "Abidjan",
    });
    const filled = Object.fromEntries(page.fields.map(({ name, value }) => [name, value]));
    expect(filled).toMatchObject({ name: "Awa D.", email: "awa@example.test" });
    expect(requirement(page, "city")).toBe("hidden");
    const hidden = (await openPage({ customer_name: "Awa D.", require_name: false })).page;
    expect(requirement(hidden, "name")).toBe("hidden");
  });

  it("the hosted page redirects the shopper to success_url with the session id and no proof of payment", async () => {
    const { id, next } = await payBy(card);
    expect(next.location).toBe(`https://shop.example/return?session=${id}&o=1042`);
    expect(await statusOf(id)).toBe("completed");
  });

  it("the hosted page shows a receipt when there is no success_url", async () => {
    const { url, next } = await payBy(card, { success_url: undefined });
    const receipt = await visit(new URL(next.location ?? "", url).href);
    expect(receipt.status).toBe(200);
    expect(receipt.text).toMatch(/5.000 F CFA/);
    expect(receipt.text).toMatch(/paid|received/i);
  });

  it("cancel leads to cancel_url; the session stays open and the same page can still be paid", async () => {
    const { id, page, url } = await openPage();
    expect(page.links).toContain(cancel_url);
    const next = await press(await visit(url), /^Pay/, { ...shopper, ...card });
    expect(next.location).toContain(id);
    expect(await statusOf(id)).toBe("completed");
  });

  it("the page of a paid session says that it is paid, takes no second payment and links to success_url", async () => {
    const { id, page, url } = await openPage();
    await press(page, /^Pay/, { ...shopper, ...card });
    const again = await visit(url);
    expect(again.forms).toEqual([]);
    expect(again.text).toMatch(/already paid/i);
    expect(again.links).toContain(`https://shop.example/return?session=${id}&o=1042`);
    await press(page, /^Pay/, { ...shopper, ...card });
    expect((await service.call("GET /transactions", { query: { checkoutSessionId: id } })).number("total_count")).toBe(
      1,
    );
  });

  it("the page of an expired session says that it is expired, takes no payment and links to cancel_url", async () => {
    const { id, page, url } = await openPage();
    await service.control(`POST /checkout-sessions/${id}/expire`);
    const expired = await visit(url);
    expect(expired.forms).toEqual([]);
    expect(expired.text).toMatch(/expired/i);
    expect(expired.links).toContain(cancel_url);
    await press(page, /^Pay/, { ...shopper, ...card });
    expect(await statusOf(id)).toBe("expired");
  });

  it("an unknown checkout URL gives 404 with an HTML page", async () => {
    const missing = await visit(`${service.checkoutBaseUrl()}/cs_22222222222222`);
    expect(missing.status).toBe(404);
    expect(missing.html).toMatch(/^<!doctype html>/i);
  });

  it("a payment belongs to the customer with the same e-mail or phone, else to a new customer", async () => {
    const shop = await service.merchant();
    const customerOf = async (values: object) => {
      const { id } = await payBy({ ...card, ...values }, {}, shop.call);
      return (await readSession(shop.call, id)).text("customer_id");
    };
    const first = await customerOf({ email: "awa@example.test", phone: "+2250700000000" });
    expect(await customerOf({ email: "awa@example.test", phone: "" })).toBe(first);
    expect(await customerOf({ email: "other@example.test", phone: "+2250700000000" })).toBe(first);
    expect(await customerOf({ email: "moussa@example.test", phone: "+2250700000099" })).not.toBe(first);
    const names = (await shop.call("GET /customers")).rows("data").map((row) => row.email);
    expect(names).toEqual(["moussa@example.test", "awa@example.test"]);
  });

  it.each([
    ["no name", { name: "" }],
    ["no e-mail", { email: "" }],
    ["a malformed e-mail", { email: "awa" }],
    ["no card number", { card_number: "" }],
    ["a card number that lacks a digit", { card_number: "4242 4242 4242 424" }],
    ["a card that has expired", { card_expiry: "01/20" }],
    ["no security code", { card_cvc: "" }],
  ])("a form with %s starts no payment and is shown again", async (_what, wrong) => {
    const { id, next } = await payBy({ ...card, ...wrong });
    expect(next.status).toBe(422);
    expect(next.forms.length).toBeGreaterThan(0);
    expect((await service.call("GET /transactions", { query: { checkoutSessionId: id } })).number("total_count")).toBe(
      0,
    );
  });

  it.each(["wave", "mtn"])(
    "%s needs a phone in international form, even where the phone is optional",
    async (method) => {
      for (const phone of ["", "0700000000", "+12", "number"]) {
        const { id, next } = await payBy({ method, phone, mobile_phone: phone });
        expect(next.status).toBe(422);
        expect(await statusOf(id)).toBe("open");
      }
      const { id } = await payBy({ method, phone: "", mobile_phone: "+2250700000123" });
      expect(await statusOf(id)).toBe("completed");
    },
  );

  it.each([
    ["4242 4242 4242 4242", "completed", undefined],
    ["4000 0000 0000 0002", "failed", "card_declined"],
    ["4000 0000 0000 9995", "failed", "insufficient_funds"],
    ["4000 0000 0000 0069", "failed", "expired_card"],
    ["4000 0000 0000 0127", "failed", "incorrect_cvc"],
    ["4000 0000 0000 0119", "failed", "processing_error"],
  ])("a payment with card %s is %s (%s)", async (card_number, status, failureCode) => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED", "PAYMENT_FAILED"]);
    const { id } = await payBy({ ...card, card_number }, {}, shop.call);
    const transaction = await readTransaction(shop.call, await transactionOf(shop.call, id));
    expect(transaction.text("status")).toBe(status);
    const [event] = await receiver.wait(1);
    expect(event?.body).toMatchObject({
      data: { status, ...(failureCode !== undefined && { failure_code: failureCode }) },
    });
  });

  it("a declined shopper sees why and pays with another card", async () => {
    const { id, url } = await payBy({ ...card, card_number: "4000 0000 0000 0002" });
    const again = await visit(url);
    expect(again.text).toMatch(/declined/i);
    await press(again, /^Pay/, { ...shopper, ...card });
    expect(await statusOf(id)).toBe("completed");
  });

  it.each([
    ["approved", "4000 0025 0000 3155", /Confirm/, "completed"],
    ["refused", "4000 0025 0000 3155", /Refuse/, "open"],
    ["approved with a card that declines", "4000 0084 0000 1629", /Confirm/, "open"],
  ])(
    "a challenge that is %s, for card %s with the button %s, leaves the session %s",
    async (_answer, card_number, button, status) => {
      const { id, next, url } = await payBy({ ...card, card_number });
      const challenge = await visit(new URL(next.location ?? "", url).href);
      expect(await statusOf(id)).toBe("open");
      await press(challenge, button);
      expect(await statusOf(id)).toBe(status);
    },
  );

  it("a payment from a phone ending in 0001 is pending and completes after pendingSeconds", async () => {
    const { id, next } = await payBy({ method: "wave", mobile_phone: "+2250700000001" });
    expect((await visit(new URL(next.location ?? "", next.url).href)).text).toContain("0001");
    expect(await statusOf(id)).toBe("open");
    await service.advance(14 * second);
    expect(await statusOf(id)).toBe("open");
    await service.advance(2 * second);
    expect(await statusOf(id)).toBe("completed");
  });

  it("a payment from a phone ending in 0002 fails", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    const { id } = await payBy({ method: "mtn", mobile_phone: "+2250700000002" }, {}, shop.call);
    await receiver.wait(1, "PAYMENT_FAILED");
    expect((await readSession(shop.call, id)).text("status")).toBe("open");
  });

  it("a payment from a phone ending in 0003 is pending until the session expires", async () => {
    const { id } = await payBy({ method: "mtn", mobile_phone: "+2250700000003" });
    await service.advance(59 * minute);
    expect(await statusOf(id)).toBe("open");
    const transactionId = await transactionOf(service.call, id);
    expect((await readTransaction(service.call, transactionId)).text("status")).toBe("pending");
    await service.advance(2 * minute);
    expect(await statusOf(id)).toBe("expired");
    expect((await readTransaction(service.call, transactionId)).text("status")).toBe("expired");
  });

  it("the hosted page lets the shopper go back to the shop before a mobile payment is final", async () => {
    const { id, next } = await payBy({ method: "wave", mobile_phone: "+2250700000003" });
    const waiting = await visit(new URL(next.location ?? "", next.url).href);
    expect(waiting.links).toContain(`https://shop.example/return?session=${id}&o=1042`);
  });

  it("the hosted page is in French or English, as the browser requests", async () => {
    const { url } = await openPage();
    const french = await (await fetch(url, { headers: { "Accept-Language": "fr-CI,fr;q=0.9" } })).text();
    const english = await (await fetch(url, { headers: { "Accept-Language": "en-GB" } })).text();
    expect(french).toContain('<html lang="fr"');
    expect(english).toContain('<html lang="en"');
  });

  it("the redirect after a payment has no card number, security code or e-mail in its URL", async () => {
    const { next } = await payBy({ ...card, card_number: "4000 0025 0000 3155" });
    expect(next.location).not.toMatch(/4000|123|awa/);
  });
});
