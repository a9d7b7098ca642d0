import { describe, expect, it } from "vitest";
import { expectRefusal } from "../answer.ts";
import { allCapabilities, bodyFor, createMember, createMembership, createOperator } from "../network-steps.ts";
import { endpoints, unknownParams } from "../operations.ts";
import { type Merchant, startService } from "../service.ts";
import { order, readSession } from "../steps.ts";

describe("Network: access", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const create = (caller: Merchant, account: string) =>
    caller.call("POST /checkout-sessions", { body: order, account });

  it("an active Operator creates a session that belongs to the Member Account", async () => {
    const [operator, member] = [await createOperator(service), await createMember(service)];
    await createMembership(service, operator, member);
    const session = await create(operator, member.account);
    expect(session.status).toBe(201);
    expect(session.text("organization_id")).toBe(member.organizationId);
    expect((await readSession(member.call, session.text("id"))).text("status")).toBe("open");
  });

  it("network_account_not_found is answered when the account does not exist", async () => {
    const operator = await createOperator(service);
    expectRefusal(await create(operator, "acct_aaaaaaaaaaaaaaaa"), 404, "not_found", "network_account_not_found");
  });

  it("network_account_not_active is answered when the Member Account is not active", async () => {
    const operator = await createOperator(service);
    const member = await createMember(service, { status: "suspended" });
    await createMembership(service, operator, member);
    expectRefusal(await create(operator, member.account), 403, "forbidden", "network_account_not_active");
    await service.control(`PATCH /members/${member.memberId}`, { status: "active" });
    expect((await create(operator, member.account)).status).toBe(201);
  });

  it("operator_not_active is answered when the key's organization is not an active Operator", async () => {
    const member = await createMember(service);
    const [plainMerchant, suspended] = [await service.merchant(), await createOperator(service, "suspended")];
    await createMembership(service, suspended, member);
    for (const caller of [plainMerchant, suspended]) {
      expectRefusal(await create(caller, member.account), 403, "forbidden", "operator_not_active");
    }
    await service.control(`PATCH /operators/${suspended.operatorId}`, { status: "active" });
    expect((await create(suspended, member.account)).status).toBe(201);
  });

  it("Network requests require a secret API key", async () => {
    const [operator, member] = [await createOperator(service), await createMember(service)];
    await createMembership(service, operator, member);
    const call = { body: order, account: member.account, key: operator.keys.test.publishable };
    const answer = await service.call("POST /checkout-sessions", call);
    expectRefusal(answer, 403, "forbidden", "Network requests require a secret API key");
  });

  it("network_membership_not_found is answered when the Operator is not connected to that member", async () => {
    const [operator, member] = [await createOperator(service), await createMember(service)];
    await createMembership(service, await createOperator(service), member);
    expectRefusal(await create(operator, member.account), 403, "forbidden", "network_membership_not_found");
  });

  it.each(["invited", "pending_member_acceptance", "pending_review", "restricted", "suspended", "terminated"])(
    "network_membership_not_active is answered when the membership is %s",
    async (status) => {
      const [operator, member] = [await createOperator(service), await createMember(service)];
      const id = await createMembership(service, operator, member, { status });
      expectRefusal(await create(operator, member.account), 403, "forbidden", "network_membership_not_active");
      if (status === "terminated") return;
      await service.control(`PATCH /memberships/${id}`, { status: "active" });
      expect((await create(operator, member.account)).status).toBe(201);
    },
  );

  it("network_capability_missing is answered when the capability is not granted in the environment", async () => {
    const [operator, member] = [await createOperator(service), await createMember(service)];
    const id = await createMembership(service, operator, member, {
      capabilities: { test: [], live: ["payment.create"] },
    });
    expectRefusal(await create(operator, member.account), 403, "forbidden", "network_capability_missing");
    const live = await operator.live("POST /checkout-sessions", { body: order, account: member.account });
    expect(live.status).toBe(201);
    await service.control(`PATCH /memberships/${id}`, { capabilities: { test: ["payment.create"], live: [] } });
    expect((await create(operator, member.account)).status).toBe(201);
    const refused = await operator.live("POST /checkout-sessions", { body: order, account: member.account });
    expectRefusal(refused, 403, "forbidden", "network_capability_missing");
  });

  it("the checks come in order: key, operator, account, account state, membership, membership state, capability", async () => {
    const operator = await createOperator(service, "suspended");
    const member = await createMember(service, { status: "suspended" });
    const publishable = { body: order, account: member.account, key: operator.keys.test.publishable };
    const messages = [(await service.call("POST /checkout-sessions", publishable)).text("error.message")];
    const addMessage = async (account = member.account) =>
      messages.push((await create(operator, account)).text("error.message"));
    await addMessage("acct_aaaaaaaaaaaaaaaa");
    await service.control(`PATCH /operators/${operator.operatorId}`, { status: "active" });
    await addMessage("acct_aaaaaaaaaaaaaaaa");
    await addMessage();
    await service.control(`PATCH /members/${member.memberId}`, { status: "active" });
    await addMessage();
    const id = await createMembership(service, operator, member, {
      status: "pending_review",
      capabilities: { test: [], live: [] },
    });
    await addMessage();
    await service.control(`PATCH /memberships/${id}`, { status: "active" });
    await addMessage();
    expect(messages).toEqual([
      "Network requests require a secret API key",
      "operator_not_active",
      "network_account_not_found",
      "network_account_not_active",
      "network_membership_not_found",
      "network_membership_not_active",
      "network_capability_missing",
    ]);
  });

  const refusing = endpoints.filter(({ capabilities, success }) => capabilities === null && success !== 503);
  it.each(refusing.map(({ operation }) => operation))(
    "%s rejects Service-Account, whatever the key",
    async (operation) => {
      const [operator, member] = [await createOperator(service), await createMember(service)];
      await createMembership(service, operator, member);
      for (const key of [operator.keys.test.secret, operator.keys.test.publishable]) {
        const answer = await service.call(operation, {
          key,
          account: member.account,
          params: unknownParams(operation),
        });
        expectRefusal(answer, 400, "bad_request", "Service-Account is not supported on this endpoint");
      }
    },
  );

  const accepting = endpoints.flatMap(({ operation, capabilities }) =>
    (capabilities ?? []).map((capability) => [operation, capability] as const),
  );
  it.each(accepting)(
    "%s accepts Service-Account with %s and with no other capability",
    async (operation, capability) => {
      const [operator, member] = [await createOperator(service), await createMember(service)];
      const sufficient = endpoints.find((endpoint) => endpoint.operation === operation)?.capabilities ?? [];
      const others = allCapabilities.filter((name) => !sufficient.includes(name));
      const id = await createMembership(service, operator, member, {
        capabilities: { test: others, live: allCapabilities },
      });
      const call = () =>
        operator.call(operation, { account: member.account, params: unknownParams(operation), ...bodyFor(operation) });
      expectRefusal(await call(), 403, "forbidden", "network_capability_missing");
      await service.control(`PATCH /memberships/${id}`, { capabilities: { test: [capability], live: [] } });
      const answer = await call();
      expect(answer.status, answer.raw).not.toBe(403);
      expect(answer.raw).not.toContain("network_");
    },
  );
});

describe("Network: enrollment", () => {
  const service = startService();

  it("an invite has a link, and completing the invite creates a membership that waits for review", async () => {
    const [operator, member] = [await createOperator(service), await createMember(service)];
    const invite = await service.control("POST /invites", {
      operator_id: operator.operatorId,
      requested_capabilities: ["payment.create", "customer.read"],
    });
    expect(invite.text("link")).toMatch(/\/network\/enroll\/[\w-]+$/);
    const completed = await service.control(`POST /invites/${invite.text("invite_id")}/complete`, {
      account: member.account,
    });
    const create = () => operator.call("POST /checkout-sessions", { body: order, account: member.account });
    expectRefusal(await create(), 403, "forbidden", "network_membership_not_active");
    await service.control(`PATCH /memberships/${completed.text("membership_id")}`, { status: "active" });
    expect((await create()).status).toBe(201);
    const customers = { body: { name: "Awa" }, account: member.account };
    expect((await operator.call("GET /customers", { account: member.account })).status).toBe(200);
    expectRefusal(await operator.call("POST /customers", customers), 403, "forbidden", "network_capability_missing");
  });

  it("an invite that requests nothing grants the Operator's defaults on activation", async () => {
    const [operator, member] = [await createOperator(service), await createMember(service)];
    const invite = await service.control("POST /invites", { operator_id: operator.operatorId });
    const completed = await service.control(`POST /invites/${invite.text("invite_id")}/complete`, {
      account: member.account,
    });
    await service.control(`PATCH /memberships/${completed.text("membership_id")}`, { status: "active" });
    const answer = await operator.call("POST /checkout-sessions", { body: order, account: member.account });
    expect(answer.status).toBe(201);
  });
});
