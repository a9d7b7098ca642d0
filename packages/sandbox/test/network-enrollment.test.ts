import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { heading, openBrowser } from "./open-browser.ts";
import { createResource } from "./open-network.ts";
import { api, control, type Json, openSandbox, order } from "./open-sandbox.ts";

type InviteFields = { requested_capabilities?: unknown };
type OperatorFields = { default_capabilities?: unknown };

/** An Operator and its invite. */
async function openInvite(sandbox: Sandbox, inviteFields: InviteFields = {}, operatorFields: OperatorFields = {}) {
  const operator = await createResource(sandbox, "POST /operators", { name: "Teranga", ...operatorFields });
  const invite = await createResource(sandbox, "POST /invites", { operator_id: operator.operator_id, ...inviteFields });
  const readInvite = async () => (await control(sandbox, "GET /invites")).json.at(-1);
  const callForMember = (member: Json, route: string, body?: unknown) =>
    api(sandbox, route, {
      key: operator.keys.test.secret,
      headers: { "Service-Account": member.account },
      ...(body === undefined ? {} : { body }),
    });
  return { operator, invite, readInvite, callForMember };
}

/** The id of the organization that the page offers under this name. */
const organizationId = (text: string, name: string) =>
  new RegExp(`<option value="([^"]+)">${name}`).exec(text)?.[1] ?? "";

describe("an invite", () => {
  it("an invite has a link, and activation of the membership grants its requested capabilities", async () => {
    const sandbox = await openSandbox();
    const { operator, invite, readInvite, callForMember } = await openInvite(sandbox, {
      requested_capabilities: ["payment.create"],
    });
    expect(invite.link).toMatch(new RegExp(`^${sandbox.baseUrl}/network/enroll/[A-Za-z0-9]{32}$`));
    const member = await createResource(sandbox, "POST /members", { name: "Chez Fatou" });
    const completed = await control(sandbox, `POST /invites/${invite.invite_id}/complete`, { account: member.account });
    expect(completed.json).toMatchObject({
      operator_id: operator.operator_id,
      account: member.account,
      status: "pending_review",
      capabilities: { test: { "payment.create": "requested" }, live: { "payment.create": "requested" } },
    });
    expect((await readInvite()).status).toBe("approved");
    expect((await callForMember(member, "POST /checkout-sessions", order)).json.error.message).toBe(
      "network_membership_not_active",
    );
    const { membership_id } = completed.json;
    const activated = await control(sandbox, `PATCH /memberships/${membership_id}`, { status: "active" });
    expect(activated.json.capabilities.test).toEqual({ "payment.create": "active" });
    expect((await readInvite()).status).toBe("completed");
    expect((await callForMember(member, "POST /checkout-sessions", order)).status).toBe(201);
    expect((await callForMember(member, "GET /transactions")).json.error.message).toBe("network_capability_missing");
  });

  it("an invite without requested capabilities grants the defaults of the Operator", async () => {
    const sandbox = await openSandbox();
    const default_capabilities = { test: ["payment.create", "transaction.read_own"], live: [] };
    const { invite } = await openInvite(sandbox, {}, { default_capabilities });
    const member = await createResource(sandbox, "POST /members", { name: "Chez Fatou" });
    const { json } = await control(sandbox, `POST /invites/${invite.invite_id}/complete`, { account: member.account });
    const activated = await control(sandbox, `PATCH /memberships/${json.membership_id}`, { status: "active" });
    expect(activated.json.capabilities).toEqual({
      test: { "payment.create": "active", "transaction.read_own": "active" },
      live: {},
    });
  });

  it("an invite cannot be completed twice, after a week, after it was cancelled, or by a connected member", async () => {
    const sandbox = await openSandbox();
    const { operator, invite, readInvite } = await openInvite(sandbox);
    const member = await createResource(sandbox, "POST /members", { name: "Chez Fatou" });
    const complete = (id: string) => control(sandbox, `POST /invites/${id}/complete`, { account: member.account });
    expect((await complete(invite.invite_id)).status).toBe(200);
    expect((await complete(invite.invite_id)).json.error).toMatchObject({
      code: "conflict",
      message: "The invite is approved",
    });

    const second = await createResource(sandbox, "POST /invites", { operator_id: operator.operator_id });
    expect((await complete(second.invite_id)).json.error.message).toBe(
      "This Operator and this member are connected already: pending_review",
    );
    const cancelled = await control(sandbox, `PATCH /invites/${second.invite_id}`, { status: "cancelled" });
    expect([cancelled.status, cancelled.json.status]).toEqual([200, "cancelled"]);
    expect((await complete(second.invite_id)).json.error.message).toBe("The invite is cancelled");

    await sandbox.control.advanceClock(1000);
    const third = await createResource(sandbox, "POST /invites", { operator_id: operator.operator_id });
    await sandbox.control.advanceClock(7 * 86_400_000);
    expect((await readInvite()).status).toBe("expired");
    expect((await complete(third.invite_id)).json.error.message).toBe("The invite is expired");
  });
});

describe("the page of an invite", () => {
  it("the invite page asks in two steps for the business and the approval", async () => {
    const sandbox = await openSandbox();
    const { invite, readInvite, callForMember } = await openInvite(sandbox, {
      requested_capabilities: { test: ["payment.create"], live: ["refund.create"] },
    });
    const browser = openBrowser();
    const first = await browser.open(invite.link);
    expect([first.status, heading(first)]).toEqual([200, "Teranga invites you"]);
    expect(first.text).toContain("Take payments for you");
    expect(first.text).toContain("Refund payments");
    expect(first.text).not.toContain(">Teranga</option>");
    expect((await readInvite()).status).toBe("opened");

    const organization = organizationId(first.text, "Marché Démo");
    const submitted = await browser.submit(invite.link, { step: "submit", organization });
    expect([submitted.status, submitted.location]).toEqual([303, invite.link]);
    expect((await readInvite()).status).toBe("submitted");
    const [membership] = (await control(sandbox, "GET /memberships")).json;
    expect(membership.status).toBe("pending_member_acceptance");
    const second = await browser.open(invite.link);
    expect(heading(second)).toBe("Allow Teranga to do this?");
    expect(second.text).toContain("You are answering for Marché Démo.");

    await browser.submit(invite.link, { step: "accept" });
    expect((await readInvite()).status).toBe("approved");
    const third = await browser.open(invite.link);
    expect(third.text).toContain(membership.account);
    await control(sandbox, `PATCH /memberships/${membership.membership_id}`, { status: "active" });
    expect(heading(await browser.open(invite.link))).toBe("You are connected");
    // Marché Démo is the member now, so a session for the member has the same creator as its own session.
    expect((await callForMember(membership, "POST /checkout-sessions", order)).json.created_by).toBe(
      (await api(sandbox, "POST /checkout-sessions", { body: order })).json.created_by,
    );
  });

  it("a refused invite is cancelled", async () => {
    const sandbox = await openSandbox();
    const { invite, readInvite, callForMember } = await openInvite(sandbox);
    const browser = openBrowser();
    const organization = organizationId((await browser.open(invite.link)).text, "Marché Démo");
    await browser.submit(invite.link, { step: "submit", organization });
    await browser.submit(invite.link, { step: "refuse" });
    expect((await readInvite()).status).toBe("cancelled");
    const [membership] = (await control(sandbox, "GET /memberships")).json;
    expect(membership.status).toBe("terminated");
    expect((await callForMember(membership, "POST /checkout-sessions", order)).status).toBe(403);
    // Accepting a cancelled invite changes nothing.
    await browser.submit(invite.link, { step: "accept" });
    expect((await readInvite()).status).toBe("cancelled");
    expect(heading(await browser.open(invite.link))).toBe("This invitation is over");
  });

  it("the invite page speaks French and reports a missing or already connected business", async () => {
    const sandbox = await openSandbox();
    const { operator, invite } = await openInvite(sandbox);
    const browser = openBrowser("fr-CI,fr;q=0.9");
    const page = await browser.open(invite.link);
    expect(page.text).toContain('<html lang="fr">');
    expect(heading(page)).toBe("Teranga vous invite");
    const missing = await browser.submit(invite.link, { step: "submit", organization: "" });
    expect([missing.status, missing.text]).toEqual([422, expect.stringContaining("Choisissez votre entreprise.")]);
    const organization = organizationId(page.text, "Marché Démo");
    await browser.submit(invite.link, { step: "submit", organization });
    const again = await createResource(sandbox, "POST /invites", { operator_id: operator.operator_id });
    const refused = await browser.submit(again.link, { step: "submit", organization });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("déjà liée à Teranga")]);
  });

  it("the page of an unknown invite is 404", async () => {
    const sandbox = await openSandbox();
    const page = await openBrowser().open(`${sandbox.baseUrl}/network/enroll/nothing`);
    expect([page.status, heading(page)]).toEqual([404, "Invitation not found"]);
  });
});

describe("the control API of the Network", () => {
  it("an invalid Network request is rejected with a sentence that names the field", async () => {
    const sandbox = await openSandbox();
    const refused = async (route: string, body: unknown) => {
      const { status, json } = await control(sandbox, route, body);
      expect([status, json.error.code]).toEqual([400, "bad_request"]);
      return json.error.message;
    };
    expect(await refused("POST /operators", {})).toMatch(/^Invalid value for "name": /);
    expect(await refused("POST /operators", { name: "T", state: "active" })).toBe('Unknown field "state".');
    expect(await refused("POST /operators", { name: "T", status: "retired" })).toMatch(/"status": must be one of/);
    expect(
      await refused("POST /operators", { name: "T", fee: { kind: "percentage", basis_points: 100, minimum: 5 } }),
    ).toMatch(/"fee.currency_code": is required/);
    expect(await refused("POST /members", { name: "F", branding: { logo: "https://cdn.example/logo.png" } })).toMatch(
      /"branding.logo": must be a data: URL/,
    );
    expect(await refused("POST /members", { name: "F", branding: { color: "red" } })).toMatch(/"branding.color"/);
    expect(
      await refused("POST /memberships", { operator_id: "x", account: "y", capabilities: { test: ["fly"] } }),
    ).toMatch(/"capabilities.test": must be a list of payment.create/);
  });

  it("unknown Operators, members, memberships and invites are 404", async () => {
    const sandbox = await openSandbox();
    for (const [route, body] of [
      ["PATCH /operators/none", {}],
      ["GET /operators/none/fees", undefined],
      ["PATCH /members/none", {}],
      ["PATCH /memberships/none", {}],
      ["POST /memberships", { operator_id: "none", account: "acct_none" }],
      ["POST /invites", { operator_id: "none" }],
      ["PATCH /invites/none", { status: "cancelled" }],
      ["POST /invites/none/complete", { account: "acct_none" }],
    ] as const) {
      expect([route, (await control(sandbox, route, body)).status]).toEqual([route, 404]);
    }
  });

  it("the Network survives a reset", async () => {
    const sandbox = await openSandbox();
    const { invite } = await openInvite(sandbox);
    await sandbox.control.reset();
    expect((await control(sandbox, "GET /operators")).json).toHaveLength(1);
    expect((await control(sandbox, "GET /invites")).json[0].invite_id).toBe(invite.invite_id);
  });
});
