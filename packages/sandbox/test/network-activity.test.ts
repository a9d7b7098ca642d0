import { verifyWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { delegatedPayment, openNetwork } from "./open-network.ts";
import { control, newEndpoint, openReceiver, openSandbox, order } from "./open-sandbox.ts";

describe("webhooks of delegated activity", () => {
  it("webhooks of delegated activity go to the member, and to the Operator with account and membership", async () => {
    const sandbox = await openSandbox();
    const network = await openNetwork(sandbox);
    const [toOperator, toMember] = [await openReceiver(), await openReceiver()];
    const subscribed = { authorized_events: ["PAYMENT_SUCCEEDED"] };
    const endpoint = await newEndpoint(sandbox, toOperator.url, subscribed, network.operator.keys.test.secret);
    await newEndpoint(sandbox, toMember.url, subscribed, network.member.keys.test.secret);
    await newEndpoint(sandbox, toOperator.url, subscribed, network.operator.keys.live.secret);
    const { transaction_id } = await delegatedPayment(sandbox, network);
    const [operatorDelivery] = await toOperator.waitFor(1);
    const [memberDelivery] = await toMember.waitFor(1);
    const bytes = Buffer.from(operatorDelivery?.body ?? "");
    const signature = operatorDelivery?.headers["x-service-signature"];
    expect(verifyWebhook({ bytes, signature, secrets: [endpoint.secret] })).not.toBeNull();
    const operatorEvent = JSON.parse(operatorDelivery?.body ?? "");
    const memberEvent = JSON.parse(memberDelivery?.body ?? "");
    expect(memberEvent.data).toMatchObject({ transaction_id, organization_id: network.member.organization_id });
    expect(memberEvent.data).not.toHaveProperty("network");
    expect(operatorEvent.id).toBe(memberEvent.id);
    expect(operatorEvent.data).toEqual({
      ...memberEvent.data,
      network: { account: network.member.account, membership_id: network.membershipId },
    });
    expect(toOperator.received).toHaveLength(1);
  });

  it("the Operator gets no webhooks of the member's own activity", async () => {
    const sandbox = await openSandbox();
    const { operator, callAsMember } = await openNetwork(sandbox);
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, {}, operator.keys.test.secret);
    const session = (await callAsMember("POST /checkout-sessions", order)).json;
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    expect(await sandbox.control.listDeliveries()).toEqual([]);
  });
});

describe("the requests of an Operator for a member", () => {
  it("an Operator charges for the member, and the charge is a transaction of the member", async () => {
    const sandbox = await openSandbox();
    const { callForMember, callAsMember, member } = await openNetwork(sandbox, {
      capabilities: ["payment.create", "transaction.read_own"],
    });
    const customer = { name: "Awa Diop", phoneNumber: "+2250700000000" };
    const headers = { "Idempotency-Key": "charge:1" };
    const wave = await callForMember("POST /charge/wave", { amount: 5000, currency: "XOF", customer }, headers);
    const card = { amount: 5000, currency_code: "XOF", customer_email: "awa@example.test", customer_name: "Awa" };
    const cardCharge = await callForMember("POST /charge/card", card, { "Idempotency-Key": "charge:2" });
    expect([wave.status, cardCharge.status]).toEqual([201, 201]);
    const { id } = cardCharge.json.data;
    expect((await callForMember(`GET /charge/card/${id}`)).json.data.id).toBe(id);
    const transaction = (await callAsMember(`GET /transactions/${wave.json.transaction_id}`)).json;
    expect(transaction).toMatchObject({
      organization_id: member.organization_id,
      network: { account: member.account },
    });
  });

  it("an Operator refunds its own payments, and every payment with transaction.read", async () => {
    const sandbox = await openSandbox();
    const network = await openNetwork(sandbox, {
      capabilities: ["payment.create", "refund.create", "transaction.read_own"],
    });
    const { callForMember, callAsOperator, callAsMember, grant } = network;
    const { transaction_id } = await delegatedPayment(sandbox, network);
    const session = (await callAsMember("POST /checkout-sessions", order)).json;
    const memberPayment = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const refund = (id: unknown, key: string) =>
      callForMember("POST /refunds", { transaction_id: id, amount: 1000 }, { "Idempotency-Key": key });
    const ownRefund = await refund(transaction_id, "refund:1");
    expect([ownRefund.status, (await refund(memberPayment.transaction_id, "refund:2")).status]).toEqual([201, 404]);
    const { refund_id } = ownRefund.json;
    expect((await callForMember("GET /refunds")).json.data).toMatchObject([{ refund_id }]);
    expect((await callAsOperator(`GET /refunds/${refund_id}`)).status).toBe(404);
    await grant("refund.create", "transaction.read");
    expect((await refund(memberPayment.transaction_id, "refund:3")).status).toBe(201);
    expect((await callForMember("GET /refunds")).json.total_count).toBe(2);
  });

  it("a customer of an Operator belongs to the member and keeps the network metadata after updates", async () => {
    const sandbox = await openSandbox();
    const { callForMember, callAsOperator, callAsMember, operator, member, membershipId } = await openNetwork(sandbox);
    const created = await callForMember("POST /customers", { name: "Awa", metadata: { vip: "yes" } });
    const network = {
      operator_organization_id: operator.organization_id,
      membership_id: membershipId,
      account: member.account,
    };
    expect(created.json).toMatchObject({ organization_id: member.organization_id, metadata: { vip: "yes", network } });
    const route = `/customers/${created.json.customer_id}`;
    const changed = await callAsMember(`PATCH ${route}`, { metadata: { vip: "no", network: "mine" } });
    expect(changed.json.metadata).toEqual({ vip: "no", network });
    expect((await callAsOperator(`GET ${route}`)).status).toBe(404);
    expect((await callAsMember("POST /customers", { name: "Binta" })).json.metadata).toBeNull();
  });

  it("an Operator sees only customers that it created or that paid through it", async () => {
    const sandbox = await openSandbox();
    const network = await openNetwork(sandbox);
    const { callForMember, callAsMember } = network;
    const own = (await callForMember("POST /customers", { name: "Awa" })).json.customer_id;
    const buyer = (await callAsMember("POST /customers", { name: "Binta" })).json.customer_id;
    const stranger = (await callAsMember("POST /customers", { name: "Coumba" })).json.customer_id;
    expect((await callForMember("GET /customers")).json.data).toMatchObject([{ customer_id: own }]);
    await delegatedPayment(sandbox, network, { customer_id: buyer });
    const listed = (await callForMember("GET /customers")).json.data.map((customer: { name: string }) => customer.name);
    expect(listed).toEqual(["Binta", "Awa"]);
    expect((await callForMember(`GET /customers/${buyer}/transactions`)).json).toHaveLength(1);
    expect((await callForMember(`GET /customers/${stranger}`)).status).toBe(404);
    expect((await callForMember(`PATCH /customers/${stranger}`, { city: "Dakar" })).status).toBe(404);
  });
});

describe("the Operator's fee", () => {
  /** Makes a delegated payment of each amount under this rule, and reads the fees that the Operator earned. */
  const feesWith = async (fee: object, amounts: readonly number[], fields: object = {}) => {
    const sandbox = await openSandbox();
    const network = await openNetwork(sandbox, { operator: { fee } });
    const payments = [];
    for (const amount of amounts) payments.push(await delegatedPayment(sandbox, network, { amount, ...fields }));
    const { json } = await control(sandbox, `GET /operators/${network.operator.operator_id}/fees`);
    const amountOf = ({ transaction_id }: { transaction_id?: unknown }) =>
      json.find((record: { transaction_id: string }) => record.transaction_id === transaction_id)?.amount;
    return { json, payments, amounts: payments.map(amountOf), network, sandbox };
  };

  it("a fixed fee is never above the payment", async () => {
    const { amounts } = await feesWith({ kind: "fixed", amount: 300, currency_code: "XOF" }, [5000, 200]);
    expect(amounts).toEqual([300, 200]);
  });

  it("a percentage fee is in basis points, rounded half up, within its bounds", async () => {
    const plain = await feesWith({ kind: "percentage", basis_points: 150 }, [5000, 1100]);
    expect(plain.amounts).toEqual([75, 17]); // 1.5 % of 1,100 is 16.5
    const bounded = { kind: "percentage", basis_points: 150, minimum: 50, maximum: 500, currency_code: "XOF" };
    expect((await feesWith(bounded, [1000, 10_000, 100_000])).amounts).toEqual([50, 150, 500]);
  });

  it("a blended fee is the sum of a fixed and a percentage fee", async () => {
    const blended = { kind: "blended", amount: 100, basis_points: 100, maximum: 300, currency_code: "XOF" };
    expect((await feesWith(blended, [5000, 50_000])).amounts).toEqual([150, 300]);
  });

  it("a fee is recorded with its rule and does not change the payment", async () => {
    const rule = { kind: "fixed", amount: 300, currency_code: "XOF" };
    const { json, payments, network, sandbox } = await feesWith(rule, [5000]);
    // The only deduction is the service's own fee of 2.5 %.
    expect(payments[0]).toMatchObject({ gross_amount: 5000, fee_amount: 125, net_amount: 4875 });
    await control(sandbox, `PATCH /operators/${network.operator.operator_id}`, { fee: null });
    await delegatedPayment(sandbox, network);
    expect((await control(sandbox, `GET /operators/${network.operator.operator_id}/fees`)).json).toEqual(json);
    expect(json).toMatchObject([{ membership_id: network.membershipId, environment: "test", rule }]);
  });

  it("no fee is recorded for own payments of the member, failed payments or other currencies", async () => {
    const rule = { kind: "fixed", amount: 300, currency_code: "EUR" };
    const { json, network, sandbox } = await feesWith(rule, [5000]);
    expect(json).toEqual([]);
    const { id } = (await network.callForMember("POST /checkout-sessions", { ...order, currency_code: "EUR" })).json;
    await sandbox.control.paySession(id, { method: "card", outcome: "failed" });
    const own = (await network.callAsMember("POST /checkout-sessions", { ...order, currency_code: "EUR" })).json;
    await sandbox.control.paySession(own.id, { method: "card", outcome: "completed" });
    const fees = `GET /operators/${network.operator.operator_id}/fees`;
    expect((await control(sandbox, fees)).json).toEqual([]);
    await sandbox.control.paySession(id, { method: "card", outcome: "completed" });
    expect((await control(sandbox, fees)).json).toMatchObject([{ amount: 300, currency_code: "EUR" }]);
  });
});

describe("the hosted page of a delegated session", () => {
  const logo = `data:image/png;base64,${Buffer.from("not really an image").toString("base64")}`;

  it("a delegated page shows name, colour and logo of the member, and never the Operator", async () => {
    const sandbox = await openSandbox();
    const branding = { name: "Fatou & Filles", color: "#7a1fa2", logo };
    const { callForMember } = await openNetwork(sandbox, { member: { branding } });
    const { checkout_url } = (await callForMember("POST /checkout-sessions", order)).json;
    const page = await openBrowser().open(checkout_url);
    expect(page.text).toContain("Your payment to Fatou &amp; Filles");
    expect(page.text).toContain("--main:#7a1fa2");
    expect(page.text).toContain(`<img class="mark" src="${logo}" alt="">`);
    expect(page.text).not.toContain("Teranga");
  });

  it("a delegated page without branding shows the member's initial and the default colours", async () => {
    const sandbox = await openSandbox();
    const { callForMember } = await openNetwork(sandbox);
    const { checkout_url } = (await callForMember("POST /checkout-sessions", order)).json;
    const page = await openBrowser().open(checkout_url);
    expect(page.text).toContain('<span class="mark" aria-hidden="true">C</span>Chez Fatou');
    expect(page.text.match(/--main:/g)).toHaveLength(1);
  });

  it("a brand colour is darkened until its text is readable", async () => {
    const sandbox = await openSandbox();
    const { callForMember } = await openNetwork(sandbox, { member: { branding: { color: "#ffe600" } } });
    const { checkout_url } = (await callForMember("POST /checkout-sessions", order)).json;
    const [, color = ""] = /:root\{--main:(#[0-9a-f]{6});/.exec((await openBrowser().open(checkout_url)).text) ?? [];
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
    // Roughly WCAG's contrast ratio of white text on this colour, which must be at least 4.5:1.
    expect(1.05 / (0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2 + 0.05)).toBeGreaterThan(4.5);
  });
});
