import { describe, expect, it } from "vitest";
import { oddTexts, oddValues } from "../../odd-input.ts";
import { startService } from "../../service.ts";
import { listen, order, paidSession } from "../../steps.ts";
import { withoutLoneSurrogates } from "./odd-requests.ts";

describe("Bad input on the hosted page and the control API", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it("the hosted page takes any form without a 500", async () => {
    const url = (await service.call("POST /checkout-sessions", { body: order })).text("checkout_url");
    const names = [
      "method",
      "name",
      "email",
      "phone",
      "mobile_phone",
      "card_number",
      "card_expiry",
      "card_cvc",
      "lang",
      "nothing",
    ];
    for (const name of names) {
      for (const value of oddTexts) {
        const response = await fetch(url, {
          method: "POST",
          body: new URLSearchParams({ [name]: withoutLoneSurrogates(value) }),
          redirect: "manual",
        });
        expect(response.status).toBeLessThan(500);
        expect(await response.text()).not.toMatch(/node:internal|<script>alert/);
      }
    }
    for (const body of ["", "%", "a=%ff", "[]", "{}"]) {
      expect((await fetch(url, { method: "POST", body, redirect: "manual" })).status).toBeLessThan(500);
    }
  });

  it("the control API takes any body without a 500", async () => {
    const shop = await service.merchant();
    const { sessionId, transactionId } = await paidSession(service, shop.call);
    const { id } = await listen(service, shop.call, ["PAYMENT_FAILED"]);
    const paths = [
      "/settings",
      "/clock",
      "/faults",
      "/organizations",
      "/operators",
      "/members",
      "/memberships",
      "/invites",
      "/subscriptions",
      "/disputes",
      "/snapshots",
      `/checkout-sessions/${sessionId}/pay`,
      `/organizations/${id}`,
      `/transactions/${transactionId}/complete`,
      `/refunds/${id}/fail`,
      `/disputes/${id}/close`,
      `/card-charges/${id}/confirm`,
    ] as const;
    for (const path of paths) {
      for (const method of ["POST", "PATCH"] as const) {
        for (const value of [
          ...oddValues,
          {
            method: oddValues,
            path: oddValues,
            name: oddValues,
            status: oddValues,
            amount: oddValues,
            ratePolicy: oddValues,
          },
        ]) {
          const answer = await service.tryControl(`${method} ${path}`, value);
          expect(answer.status, `${method} ${path} ${JSON.stringify(value)} ${answer.raw}`).toBeLessThan(500);
        }
      }
    }
  });
});
