import { expect, it } from "vitest";
import { api, openSandbox } from "./open-sandbox.ts";

it.each([
  ["startDate", "2026-02-30"],
  ["startDate", ""],
  ["endDate", "2026-01-01T00:00:00"],
  ["endDate", "01/02/2026"],
  ["limit", "0x10"],
  ["limit", "1e2"],
  ["limit", ""],
])("a list with %s=%s is refused, as its published schema says", async (name, value) => {
  const sandbox = await openSandbox();
  for (const path of ["/transactions", "/refunds", ...(name === "limit" ? ["/customers"] : [])]) {
    const { status, json } = await api(sandbox, `GET ${path}?${name}=${encodeURIComponent(value)}`);
    expect([path, status, json.error?.code]).toEqual([path, 400, "validation_failed"]);
    expect(Object.keys(json.error.details)).toEqual([name]);
  }
});

it("a flag that is neither true nor false, and a filter that is given twice, are refused", async () => {
  const sandbox = await openSandbox();
  for (const query of ["isPos=banana", "isPos=", "startDate=2026-01-01&startDate=2026-01-02"])
    expect((await api(sandbox, `GET /transactions?${query}`)).status).toBe(400);
  for (const query of ["isPos=false", "startDate=2026-01-01T00:00:00%2B01:00", "endDate=2024-02-29"])
    expect((await api(sandbox, `GET /transactions?${query}`)).status).toBe(200);
});

it("null in place of the fields of a change is refused, and a change without a body changes nothing", async () => {
  const sandbox = await openSandbox();
  const { json: customer } = await api(sandbox, "POST /customers", { body: { name: "Awa" } });
  const events = { url: "http://127.0.0.1:9/hook", authorized_events: ["PAYMENT_SUCCEEDED"] };
  const { json: webhook } = await api(sandbox, "POST /webhooks", { body: events });
  for (const path of [`/customers/${customer.customer_id}`, `/webhooks/${webhook.id}`]) {
    expect((await api(sandbox, `PATCH ${path}`, { body: null })).status).toBe(400);
    expect((await api(sandbox, `PATCH ${path}`)).status).toBe(200);
  }
});
