import { paymentRequestSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import { api, type Json, openSandbox } from "./open-sandbox.ts";
import { balance, moveMoney } from "./payments.ts";

const clock = { now: () => Date.parse("2026-03-01T10:00:00.000Z") };
const invoice = {
  amount: 5000,
  currency_code: "XOF",
  expiry_date: "2026-03-08T10:00:00.000Z",
  description: "Invoice 12",
};

const form = new URLSearchParams({
  name: "Awa Diop",
  email: "awa@example.test",
  method: "wave",
  mobile_phone: "+2250700000123",
});

describe("a payment request", () => {
  it("a payment request is paid on the hosted page of its link", async () => {
    const sandbox = await openSandbox({ clock });
    const body = { ...invoice, payment_reference: "12", metadata: { invoice: "12" } };
    const { status, json } = await moveMoney(sandbox, "/payment-requests", body);
    expect(status).toBe(201);
    paymentRequestSchema.parse(json);
    expect(json).toMatchObject({ ...body, status: "pending", customer_id: null, environment: "test" });
    expect(await (await fetch(json.payment_link)).text()).toContain("Invoice 12");
    await fetch(json.payment_link, { method: "POST", body: form, redirect: "manual" });
    const { data } = (await api(sandbox, "GET /transactions")).json;
    expect(data).toMatchObject([
      {
        status: "completed",
        gross_amount: 5000,
        description: "Invoice 12",
        metadata: { invoice: "12", payment_request_id: json.request_id },
      },
    ]);
    const session = await api(sandbox, `GET /checkout-sessions/${data[0].checkout_session_id}`);
    expect(session.json).toMatchObject({ payment_request_id: json.request_id, status: "completed" });
    expect(await balance(sandbox)).toBe(4875); // 5,000 less the fee of 2.5 %
  });

  it("a payment request can be paid until its expiry date", async () => {
    const sandbox = await openSandbox({ clock });
    const { payment_link } = (await moveMoney(sandbox, "/payment-requests", invoice)).json;
    await sandbox.control.advanceClock(7 * 86_400_000 - 1000);
    expect(await (await fetch(payment_link)).text()).toContain("<form");
    await sandbox.control.advanceClock(1000);
    expect(await (await fetch(payment_link)).text()).not.toContain("<form");
  });

  it("a payment request needs a payable amount, a future date and an existing customer", async () => {
    const sandbox = await openSandbox({ clock });
    for (const [fields, code] of [
      [{ amount: undefined }, "validation_failed"],
      [{ amount: 0 }, "amount_invalid"],
      [{ currency_code: "EUR", amount: 49 }, "amount_invalid"],
      [{ expiry_date: undefined }, "validation_failed"],
      [{ expiry_date: "2026-03-01T10:00:00.000Z" }, "validation_failed"],
      [{ customer_id: "3fa85f64-5717-4562-b3fc-2c963f66afa6" }, "not_found"],
    ] as [Json, string][]) {
      const { json } = await moveMoney(sandbox, "/payment-requests", { ...invoice, ...fields });
      expect([fields, json.error?.code]).toEqual([fields, code]);
    }
  });
});
