import { endpoints } from "@tillkit/client/endpoints";
import { describe, expect, it } from "vitest";
import { createResource, delegatedPayment, everyCapability, openNetwork } from "./open-network.ts";
import { api, control, openSandbox, order } from "./open-sandbox.ts";

/** The status, the code and the message of a response. */
const refusal = ({ status, json }: { status: number; json: { error?: { code: string; message: string } } }) => [
  status,
  json.error?.code,
  json.error?.message,
];

describe("a request with Service-Account", () => {
  it("an Operator creates a session for a member and reads it without Service-Account", async () => {
    const sandbox = await openSandbox();
    const { callForMember, callAsOperator, callAsMember, member, membershipId } = await openNetwork(sandbox);
    const { status, json } = await callForMember("POST /checkout-sessions", order);
    const network = { account: member.account, membership_id: membershipId };
    expect([status, json]).toMatchObject([201, { organization_id: member.organization_id, network }]);
    expect((await callAsOperator(`GET /checkout-sessions/${json.id}`)).json).toEqual(json);
    expect((await callAsMember(`GET /checkout-sessions/${json.id}`)).json).toEqual(json);
    expect(refusal(await callForMember(`GET /checkout-sessions/${json.id}`))).toEqual([
      400,
      "bad_request",
      "Service-Account is not supported on this endpoint",
    ]);
  });

  it("a delegated session is 404 for other Operators and for the other environment", async () => {
    const sandbox = await openSandbox();
    const { callForMember, operator } = await openNetwork(sandbox);
    const { id } = (await callForMember("POST /checkout-sessions", order)).json;
    const stranger = await openNetwork(sandbox);
    expect((await stranger.callAsOperator(`GET /checkout-sessions/${id}`)).status).toBe(404);
    expect((await api(sandbox, `GET /checkout-sessions/${id}`, { key: operator.keys.live.secret })).status).toBe(404);
  });

  it("Service-Account is rejected on unsupported endpoints before the key kind is checked", async () => {
    const sandbox = await openSandbox();
    const { operator, member } = await openNetwork(sandbox);
    for (const { method, path, capabilities, clientMethod } of Object.values(endpoints)) {
      // The endpoint of charges.switch is switched off: its answer is 503 whatever a request contains.
      if (capabilities !== null || clientMethod === "charges.switch") continue;
      const answer = await api(sandbox, `${method} ${path}`, {
        key: operator.keys.test.publishable,
        headers: { "Service-Account": member.account },
      });
      expect([path, ...refusal(answer)]).toEqual([
        path,
        400,
        "bad_request",
        "Service-Account is not supported on this endpoint",
      ]);
    }
  });

  it("a delegated request is checked in the order key, Operator, account, membership, capability", async () => {
    const sandbox = await openSandbox();
    const operator = await createResource(sandbox, "POST /operators", { name: "Teranga", status: "pending" });
    const member = await createResource(sandbox, "POST /members", { name: "Chez Fatou", status: "inactive" });
    const ask = async (key: string, account: string) =>
      refusal(
        await api(sandbox, "POST /checkout-sessions", { key, body: order, headers: { "Service-Account": account } }),
      );
    const { secret, publishable } = operator.keys.test;
    const refusals = [await ask(publishable, "acct_none"), await ask(secret, "acct_none")];
    await control(sandbox, `PATCH /operators/${operator.operator_id}`, { status: "active" });
    refusals.push(await ask(secret, "acct_none"), await ask(secret, member.account));
    await control(sandbox, `PATCH /members/${member.member_id}`, { status: "active" });
    refusals.push(await ask(secret, member.account));
    const { membership_id } = await createResource(sandbox, "POST /memberships", {
      operator_id: operator.operator_id,
      account: member.account,
      status: "restricted",
      capabilities: { test: [], live: everyCapability },
    });
    refusals.push(await ask(secret, member.account));
    await control(sandbox, `PATCH /memberships/${membership_id}`, { status: "active" });
    refusals.push(await ask(secret, member.account));
    await control(sandbox, `PATCH /memberships/${membership_id}`, {
      capabilities: { test: { "payment.create": "active" } },
    });
    refusals.push(await ask(secret, member.account));
    expect(refusals).toEqual([
      [403, "forbidden", "Network requests require a secret API key"],
      [403, "forbidden", "operator_not_active"],
      [404, "not_found", "network_account_not_found"],
      [403, "forbidden", "network_account_not_active"],
      [403, "forbidden", "network_membership_not_found"],
      [403, "forbidden", "network_membership_not_active"],
      [403, "forbidden", "network_capability_missing"],
      [201, undefined, undefined],
    ]);
  });

  it("a capability that is requested, restricted or revoked does not allow a request", async () => {
    const sandbox = await openSandbox();
    const { callForMember, membershipId } = await openNetwork(sandbox);
    for (const state of ["requested", "restricted", "revoked"]) {
      await control(sandbox, `PATCH /memberships/${membershipId}`, {
        capabilities: { test: { "payment.create": state } },
      });
      expect(refusal(await callForMember("POST /checkout-sessions", order))[2]).toBe("network_capability_missing");
    }
  });

  it("a delegated request for a suspended organization is rejected", async () => {
    const sandbox = await openSandbox();
    const { callForMember, member } = await openNetwork(sandbox);
    await control(sandbox, `PATCH /organizations/${member.organization_id}`, { status: "suspended" });
    expect(refusal(await callForMember("POST /checkout-sessions", order))).toEqual([
      403,
      "forbidden",
      "network_account_not_active",
    ]);
  });

  it("a delegated request is authorised before its Idempotency-Key and body are checked", async () => {
    const sandbox = await openSandbox();
    const { callForMember, grant } = await openNetwork(sandbox);
    await grant();
    const answer = await callForMember("POST /refunds", "{", { "Content-Type": "text/plain" });
    expect(refusal(answer)).toEqual([403, "forbidden", "network_capability_missing"]);
  });

  it("an empty Service-Account header is rejected", async () => {
    const sandbox = await openSandbox();
    const { callForMember } = await openNetwork(sandbox);
    const answer = await callForMember("POST /checkout-sessions", order, { "Service-Account": "" });
    expect(refusal(answer)).toEqual([404, "not_found", "network_account_not_found"]);
  });

  it("equal Idempotency-Keys of members and Operators do not collide", async () => {
    const sandbox = await openSandbox();
    const first = await openNetwork(sandbox);
    const second = await openNetwork(sandbox);
    const headers = { "Idempotency-Key": "order:1" };
    const opened = [
      await first.callForMember("POST /checkout-sessions", order, headers),
      await second.callForMember("POST /checkout-sessions", order, headers),
      await api(sandbox, "POST /checkout-sessions", { key: first.operator.keys.test.secret, headers, body: order }),
      await api(sandbox, "POST /checkout-sessions", { key: first.member.keys.test.secret, headers, body: order }),
    ];
    expect(new Set(opened.map(({ json }) => json.id)).size).toBe(4);
    const again = await first.callForMember("POST /checkout-sessions", order, headers);
    expect(again.headers.get("idempotency-cache-hit")).toBe("true");
    expect(again.json.id).toBe(opened[0]?.json.id);
    const other = await first.callForMember("POST /checkout-sessions", { ...order, amount: 1 + order.amount }, headers);
    expect(other.json.error.code).toBe("idempotency_key_reused");
  });
});

describe("what an Operator sees of a member", () => {
  it("an Operator sees its own payments with transaction.read_own and every payment with transaction.read", async () => {
    const sandbox = await openSandbox();
    const network = await openNetwork(sandbox, { capabilities: ["payment.create", "transaction.read_own"] });
    const { callForMember, callAsMember, grant } = network;
    const own = (await delegatedPayment(sandbox, network)).transaction_id;
    const session = (await callAsMember("POST /checkout-sessions", order)).json;
    const other = (await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" }))
      .transaction_id;
    const seen = async () => {
      const { data, total_count } = (await callForMember("GET /transactions")).json;
      expect(total_count).toBe(data.length);
      return data.map((transaction: { transaction_id: string }) => transaction.transaction_id);
    };
    expect(await seen()).toEqual([own]);
    expect((await callForMember(`GET /transactions/${other}`)).status).toBe(404);
    await grant("transaction.read");
    expect(await seen()).toEqual([other, own]);
    expect((await callForMember(`GET /transactions/${other}`)).status).toBe(200);
  });

  it("an Operator sees no payment of the member without Service-Account", async () => {
    const sandbox = await openSandbox();
    const network = await openNetwork(sandbox);
    const { transaction_id, network: shown } = await delegatedPayment(sandbox, network);
    expect(shown).toEqual({ account: network.member.account, membership_id: network.membershipId });
    expect((await network.callAsOperator("GET /transactions")).json.total_count).toBe(0);
    expect((await network.callAsOperator(`GET /transactions/${transaction_id}`)).status).toBe(404);
    expect((await network.callAsMember(`GET /transactions/${transaction_id}`)).status).toBe(200);
  });
});
