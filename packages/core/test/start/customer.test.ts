import { describe, expect, it } from "vitest";
import { startCheckout } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";

const AWA = { name: "Awa Diop", email: "awa@example.test", phone: "+221 77 000 00 00" };

describe("what the hosted page is told about the shopper and the order", () => {
  it("the shopper's name, e-mail and phone, the items and the language fill the hosted page", async () => {
    const { engine, service } = createEngineFixture();
    await startCheckout(engine, anOrder({ customer: AWA, description: "2 × Café, 1 × Thé", language: "fr" }));
    expect(service.sessions.get("session-1")?.body).toMatchObject({
      customer_name: "Awa Diop",
      customer_email: "awa@example.test",
      customer_phone: "+221770000000",
      description: "2 × Café, 1 × Thé",
      metadata: { language: "fr" },
    });
  });

  it.each([
    ["+221 77 000 00 00", "+221770000000"],
    ["00225 07.00.00.00.01", "+2250700000001"],
    ["+44 (0)20 7946 0018", "+442079460018"],
    ["77 000 00 00", undefined],
    ["06-12-34-56-78", undefined],
    ["+0 123 456 789", undefined],
  ])(
    "the phone number %s is sent in international form, or left out where its country is not certain",
    async (phone, sent) => {
      const { engine, service } = createEngineFixture();
      await startCheckout(engine, anOrder({ customer: { phone } }));
      expect(service.sessions.get("session-1")?.body.customer_phone).toBe(sent);
    },
  );

  it("an order without a customer and a description sends neither", async () => {
    const { engine, service } = createEngineFixture();
    await startCheckout(engine, anOrder());
    const sent = Object.keys(service.sessions.get("session-1")?.body ?? {});
    expect(sent).toEqual(["amount", "currency_code", "title", "success_url", "cancel_url", "metadata"]);
  });

  it.each([
    ["an empty text", { name: "  ", email: "", phone: "" }],
    ["an e-mail without a domain and a phone in words", { email: "awa@", phone: "call me" }],
    [
      "null, which a platform's database may have against its types,",
      { name: null, email: null, phone: null } as object,
    ],
    ["an e-mail with a space", { email: "awa diop@example.test" }],
  ])("%s is not sent, so that the service does not reject the session", async (_, customer) => {
    const { engine, service } = createEngineFixture();
    await startCheckout(engine, anOrder({ customer }));
    expect(service.posts[0]?.request).not.toContain("customer_");
  });

  it("texts are shortened to what the service accepts", async () => {
    const { engine, service } = createEngineFixture();
    await startCheckout(engine, anOrder({ customer: { name: "é".repeat(300) }, description: "x".repeat(2_000) }));
    const body = service.sessions.get("session-1")?.body;
    expect([String(body?.customer_name).length, String(body?.description).length]).toEqual([200, 1_000]);
  });

  it("a shopper whose e-mail the service rejects can pay without the e-mail", async () => {
    const { engine, service, expectPaymentIn } = createEngineFixture();
    service.refuseCustomers = true;
    const start = await startCheckout(engine, anOrder({ customer: AWA }));
    expect(start).toMatchObject({ status: "redirect", url: "https://pay.service.example/session-1" });
    // The payment whose session the service rejected.
    await expectPaymentIn("closed");
  });

  it("an order that the service rejects for another reason still throws session_refused", async () => {
    const { engine, service } = createEngineFixture();
    service.fail = "refuse";
    await expect(startCheckout(engine, anOrder({ customer: AWA }))).rejects.toMatchObject({ code: "session_refused" });
  });

  it("the ledger forgets the shopper as soon as the session is open", async () => {
    const { engine, expectPaymentIn } = createEngineFixture();
    await startCheckout(engine, anOrder({ customer: AWA, description: "2 × Café" }));
    const { request } = await expectPaymentIn("open");
    expect(request).not.toMatch(/Awa|awa@|77 000|customer_/);
    expect(JSON.parse(request)).toMatchObject({ amount: 5000, description: "2 × Café" });
  });

  it("a retry after a lost response repeats the exact bytes, with the shopper's name", async () => {
    const { engine, service } = createEngineFixture();
    service.lostResponses = 1;
    await expect(startCheckout(engine, anOrder({ customer: AWA }))).rejects.toThrow();
    await startCheckout(engine, anOrder({ customer: { name: "Somebody else" } }));
    expect(service.posts[1]).toEqual(service.posts[0]);
    expect(service.posts[0]?.request).toContain("Awa Diop");
  });

  it("a payment keeps the order's number, or its id where the store has no numbers", async () => {
    const { engine, expectPaymentIn } = createEngineFixture();
    await startCheckout(engine, anOrder({ number: "FR-2026-0042" }));
    expect((await expectPaymentIn("open")).orderNumber).toBe("FR-2026-0042");
    const other = createEngineFixture();
    await startCheckout(other.engine, anOrder());
    expect((await other.expectPaymentIn("open")).orderNumber).toBe("1042");
  });
});
