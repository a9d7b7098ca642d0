import { describe, expect, it } from "vitest";
import { type Answer, expectRefusal } from "../answer.ts";
import {
  allCapabilities,
  bodyFor,
  createMember,
  createMembership,
  createOperator,
  type Member,
  type Operator,
} from "../network-steps.ts";
import { type Send, startService } from "../service.ts";
import { visit } from "../shopper.ts";
import {
  cardCharge,
  chargeWave,
  listen,
  netOfOrder,
  openSession,
  order,
  pay,
  readSession,
  transactionOf,
} from "../steps.ts";

describe("Network: ownership", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  async function connectedPair(
    capabilities: readonly string[] = allCapabilities,
  ): Promise<{ operator: Operator; member: Member; id: string }> {
    const [operator, member] = [await createOperator(service), await createMember(service)];
    const id = await createMembership(service, operator, member, { capabilities: { test: capabilities, live: [] } });
    return { operator, member, id };
  }
  const createDelegated = async (operator: Operator, member: Member, change: object = {}) =>
    operator.call("POST /checkout-sessions", { body: { ...order, ...change }, account: member.account });
  const ids = (answer: Answer, field: string) => answer.rows("data").map((row) => row[field]);

  it("an Operator's requests without the header are its own", async () => {
    const { operator } = await connectedPair();
    expect((await openSession(operator.call)).text("organization_id")).toBe(operator.organizationId);
    expect((await operator.call("GET /transactions")).number("total_count")).toBe(0);
  });

  it("an Operator reads the session it created without the header, with its Network context", async () => {
    const { operator, member, id } = await connectedPair();
    const session = await createDelegated(operator, member);
    const read = await readSession(operator.call, session.text("id"));
    expect(read.body).toMatchObject({ network: { account: member.account, membership_id: id } });
    const other = await (await connectedPair()).operator.call("GET /checkout-sessions/{id}", {
      params: { id: session.text("id") },
    });
    expectRefusal(other, 404, "not_found");
  });

  it("the hosted page of a delegated session shows the member's name", async () => {
    const operator = await createOperator(service);
    const member = await createMember(service, { name: "Chez Fatou", branding: { name: "Chez Fatou" } });
    await createMembership(service, operator, member);
    const page = await visit((await createDelegated(operator, member)).text("checkout_url"));
    expect(page.text).toContain("Chez Fatou");
    expect(page.text).not.toContain("An operator");
  });

  it("a delegated payment is the member's transaction and reaches the member's balance", async () => {
    const { operator, member } = await connectedPair();
    const id = (await createDelegated(operator, member)).text("id");
    await pay(service, id);
    const transactionId = await transactionOf(member.call, id);
    const read = await operator.call("GET /transactions/{id}", {
      params: { id: transactionId },
      account: member.account,
    });
    expect(read.body).toMatchObject({ transaction_id: transactionId, organization_id: member.organizationId });
    expectRefusal(await operator.call("GET /transactions/{id}", { params: { id: transactionId } }), 404, "not_found");
    const [balance] = (await member.call("GET /accounts/balance", { query: { currency: "XOF" } })).rows();
    expect(balance?.balance).toBe(netOfOrder);
  });

  it("transaction.read_own sees only the Operator's delegated transactions, and transaction.read all transactions of the member", async () => {
    const { operator, member, id } = await connectedPair(["payment.create", "transaction.read_own"]);
    const callForMember: Send = (operation, call) => operator.call(operation, { ...call, account: member.account });
    const delegated = (await chargeWave(callForMember)).text("transaction_id");
    const memberPayment = (await chargeWave(member.call)).text("transaction_id");
    const listedIds = async () => new Set(ids(await callForMember("GET /transactions"), "transaction_id"));
    const readStatus = async (id: string) => (await callForMember("GET /transactions/{id}", { params: { id } })).status;
    expect(await listedIds()).toEqual(new Set([delegated]));
    expect([await readStatus(delegated), await readStatus(memberPayment)]).toEqual([200, 404]);
    await service.control(`PATCH /memberships/${id}`, { capabilities: { test: ["transaction.read"], live: [] } });
    expect(await listedIds()).toEqual(new Set([delegated, memberPayment]));
    expect(await readStatus(memberPayment)).toBe(200);
  });

  it.each(["POST /charge/wave", "POST /charge/mtn"] as const)(
    "%s by an Operator charges for the member",
    async (operation) => {
      const { operator, member } = await connectedPair();
      const answer = await operator.call(operation, { account: member.account, ...bodyFor(operation) });
      expect(answer.status).toBe(201);
      expect((await member.call("GET /transactions")).number("total_count")).toBe(1);
      expect((await operator.call("GET /transactions")).number("total_count")).toBe(0);
    },
  );

  it("a card charge for the member is read with the header and by the member", async () => {
    const { operator, member } = await connectedPair();
    const made = await operator.call("POST /charge/card", { body: cardCharge, account: member.account });
    expect(made.status).toBe(201);
    const call = { params: { id: made.text("data.id") } };
    const withHeader = await operator.call("GET /charge/card/{id}", { ...call, account: member.account });
    expect([withHeader.status, (await member.call("GET /charge/card/{id}", call)).status]).toEqual([200, 200]);
    expectRefusal(await operator.call("GET /charge/card/{id}", call), 404, "not_found");
  });

  it("an Operator refunds a delegated payment and reads the refund", async () => {
    const { operator, member } = await connectedPair();
    const id = (await createDelegated(operator, member)).text("id");
    await pay(service, id);
    const body = { transaction_id: await transactionOf(member.call, id), amount: 1000 };
    const made = await operator.call("POST /refunds", { body, account: member.account });
    expect(made.status).toBe(201);
    const refundId = made.text("refund_id");
    const read = await operator.call("GET /refunds/{id}", { params: { id: refundId }, account: member.account });
    expect(read.status).toBe(200);
    expect(ids(await operator.call("GET /refunds", { account: member.account }), "refund_id")).toEqual([refundId]);
    expect(ids(await member.call("GET /refunds"), "refund_id")).toEqual([refundId]);
    expect(ids(await operator.call("GET /refunds"), "refund_id")).toEqual([]);
  });

  it("a delegated customer belongs to the member's organization and names the Network in its metadata", async () => {
    const { operator, member, id } = await connectedPair();
    const made = await operator.call("POST /customers", { body: { name: "Awa" }, account: member.account });
    expect(made.body).toMatchObject({
      organization_id: member.organizationId,
      metadata: {
        network: { operator_organization_id: operator.organizationId, membership_id: id, account: member.account },
      },
    });
    const params = { id: made.text("customer_id") };
    expect((await member.call("GET /customers/{id}", { params })).status).toBe(200);
    const changed = { params, body: { city: "Dakar" }, account: member.account };
    expect((await operator.call("PATCH /customers/{id}", changed)).text("city")).toBe("Dakar");
  });

  it("an Operator's customer list contains its own customers and those of its delegated transactions", async () => {
    const { operator, member } = await connectedPair();
    const own = (await operator.call("POST /customers", { body: { name: "Own" }, account: member.account })).text(
      "customer_id",
    );
    const payer = (await member.call("POST /customers", { body: { name: "Buyer" } })).text("customer_id");
    await member.call("POST /customers", { body: { name: "Stranger" } });
    const id = (await createDelegated(operator, member, { customer_id: payer })).text("id");
    await pay(service, id);
    const list = await operator.call("GET /customers", { account: member.account });
    expect(new Set(ids(list, "customer_id"))).toEqual(new Set([own, payer]));
    const call = { params: { id: payer }, account: member.account };
    expect((await operator.call("GET /customers/{id}/transactions", call)).rows()).toHaveLength(1);
  });

  it("an Idempotency-Key belongs to the membership: Operators of one member do not collide", async () => {
    const [first, second, member] = [
      await createOperator(service),
      await createOperator(service),
      await createMember(service),
    ];
    for (const operator of [first, second]) await createMembership(service, operator, member);
    const call = { body: order, idempotencyKey: "key", account: member.account };
    const answers = [
      await first.call("POST /checkout-sessions", call),
      await second.call("POST /checkout-sessions", call),
      await member.call("POST /checkout-sessions", { body: order, idempotencyKey: "key" }),
      await first.call("POST /checkout-sessions", { body: order, idempotencyKey: "key" }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.text("id"))).size).toBe(4);
    const again = await first.call("POST /checkout-sessions", call);
    expect(again.headers.get("Idempotency-Cache-Hit")).toBe("true");
    expect(again.text("id")).toBe(answers[0]?.text("id"));
  });

  it("an Operator's webhooks receive events of delegated activity, with the account and the membership", async () => {
    const { operator, member, id } = await connectedPair();
    const { receiver } = await listen(service, operator.call, ["PAYMENT_SUCCEEDED"]);
    const session = (await createDelegated(operator, member)).text("id");
    await pay(service, session);
    const [delivery] = await receiver.wait(1);
    expect(delivery?.raw).toContain(`"account":"${member.account}","membership_id":"${id}"`);
    await chargeWave(member.call);
    expect(await receiver.waitBriefly()).toHaveLength(1);
  });

  it("the member's own webhooks receive events of delegated activity too", async () => {
    const { operator, member } = await connectedPair();
    const { receiver } = await listen(service, member.call, ["PAYMENT_SUCCEEDED"]);
    await pay(service, (await createDelegated(operator, member)).text("id"));
    await receiver.wait(1);
  });
});
