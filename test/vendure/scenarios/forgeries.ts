import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { BASKET_IN_VENDURE, expectSettledOnce } from "../steps.ts";

const ADD_PAYMENT = `mutation ($input: PaymentInput!) { addPaymentToOrder(input: $input) {
  __typename ... on ErrorResult { message } } }`;

export function forgeries(fixture: () => Fixture): void {
  describe("a shopper who forges a payment", () => {
    it("a shopper who adds a payment with forged metadata pays nothing", async () => {
      const { shopper, orderCode } = await fixture().newShopper().startPayment();
      const metadata = {
        tillkitPaymentId: "pay_forged",
        amount: BASKET_IN_VENDURE,
        state: "Settled",
        apiType: "admin",
      };
      await expect(shopper.call(ADD_PAYMENT, { input: { method: "tillkit", metadata } })).rejects.toThrow(
        "This payment method has a page of its own",
      );
      expect(await fixture().probe.payments(orderCode)).toEqual([]);
      expect(await fixture().probe.order(orderCode)).toMatchObject({ state: "ArrangingPayment", active: true });
    });

    it("forty forged payments beside the real one change nothing", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      const forged = Array.from({ length: 40 }, () =>
        started.shopper.call(ADD_PAYMENT, { input: { method: "tillkit", metadata: {} } }).catch(() => null),
      );
      await Promise.all([...forged, fixture().returnToShop(started.orderCode)]);
      await expectSettledOnce(fixture(), started.orderCode);
    });

    it("a webhook that is signed with another secret is refused and changes nothing", async () => {
      const started = await fixture().newShopper().startPayment();
      const event = { id: "evt_forged", event: "PAYMENT_SUCCEEDED", timestamp: new Date().toISOString() };
      const body = JSON.stringify({ ...event, data: { checkout_session_id: started.checkoutId } });
      expect(await fixture().sendWebhook(body, { secret: "whsec_forged" })).toBe(401);
      expect(await fixture().probe.order(started.orderCode)).toMatchObject({ state: "ArrangingPayment" });
    });

    it("a webhook signed for one shop is refused by the other shop's endpoint", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      const body = await fixture().webhookBody(started.checkoutId);
      const [ci = ""] = fixture().secrets.filter((secret) => secret.startsWith("whsec_"));
      expect(await fixture().sendWebhook(body, { shop: "us", secret: ci })).toBe(401);
    });

    it("a signed webhook about an unpaid session pays nothing: the session is read from the service", async () => {
      const started = await fixture().newShopper().startPayment();
      const other = await fixture().newShopper().startPayment();
      await fixture().pay(other, "lost");
      const body = JSON.parse(await fixture().webhookBody(other.checkoutId)) as { data: Record<string, unknown> };
      const forged = { ...body, id: "evt_other", data: { ...body.data, checkout_session_id: started.checkoutId } };
      expect(await fixture().sendWebhook(JSON.stringify(forged))).toBe(200);
      await fixture().returnToShop(started.orderCode);
      expect(await fixture().probe.payments(started.orderCode)).toEqual([]);
    });

    it("no answer to a shopper contains a key or a secret", async () => {
      const { shopper, orderCode } = await fixture().newShopper().startPayment();
      const schema = JSON.stringify(
        await shopper
          .call(`{ orderByCode(code: "${orderCode}") { code state payments { id metadata } }
          eligiblePaymentMethods { code name description customFields } }`)
          .catch((error: Error) => error.message),
      );
      const page = await (await fetch(`${fixture().url}/tillkit/healthz`)).text();
      for (const secret of fixture().secrets) expect(schema + page).not.toContain(secret);
    });
  });
}
