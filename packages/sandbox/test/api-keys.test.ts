import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../src/index.ts";
import { openPage, submitForm } from "./open-console.ts";
import { type ApiOptions, api, closeAfterTest, control, type Json, openSandbox } from "./open-sandbox.ts";
import { cardCharge, eventNames, moveMoney } from "./payments.ts";

const secretTestKey = { environment: "test", kind: "secret" };

async function newShop(sandbox: Sandbox): Promise<Json> {
  return (await control(sandbox, "POST /organizations", { name: "Shop" })).json;
}

const statusWith = async (sandbox: Sandbox, key: string) => (await api(sandbox, "GET /transactions", { key })).status;

describe("API keys in the dashboard of a merchant", () => {
  it("a merchant generates a second key, changes to it, and revokes the first key without a gap", async () => {
    const sandbox = await openSandbox();
    const shop = await newShop(sandbox);
    const path = `/organizations/${shop.organization_id}/keys`;
    const first = shop.keys.test.secret;
    const { status, json } = await control(sandbox, `POST ${path}`, secretTestKey);
    expect([status, json]).toEqual([201, { key: expect.stringMatching(/^svc_sk_test_\w{32}$/), ...secretTestKey }]);
    expect([await statusWith(sandbox, first), await statusWith(sandbox, json.key)]).toEqual([200, 200]);
    expect((await control(sandbox, `POST ${path}/revoke`, { key: first })).status).toBe(204);
    const refused = await api(sandbox, "GET /transactions", { key: first });
    expect([refused.status, refused.json.error]).toEqual([401, { code: "unauthorized", message: "Invalid API key" }]);
    expect(await statusWith(sandbox, json.key)).toBe(200);
    const [, shopNow] = (await control(sandbox, "GET /organizations")).json;
    expect(shopNow.keys).toEqual({ ...shop.keys, test: { ...shop.keys.test, secret: json.key } });
  });

  it("a regenerated key replaces every earlier key of its kind and environment, and no other key", async () => {
    const sandbox = await openSandbox();
    const shop = await newShop(sandbox);
    const path = `/organizations/${shop.organization_id}/keys`;
    const extra = (await control(sandbox, `POST ${path}`, secretTestKey)).json.key;
    const { json } = await control(sandbox, `POST ${path}/regenerate`, secretTestKey);
    for (const key of [shop.keys.test.secret, extra]) expect(await statusWith(sandbox, key)).toBe(401);
    for (const key of [json.key, shop.keys.live.secret]) expect(await statusWith(sandbox, key)).toBe(200);
    expect(await statusWith(sandbox, shop.keys.test.publishable)).toBe(403);
  });

  it("a session that was created with a revoked key still belongs to its merchant", async () => {
    const sandbox = await openSandbox();
    const { organization_id, keys } = await newShop(sandbox);
    const options: ApiOptions = { key: keys.test.secret, body: { amount: 5000 } };
    const { json } = await api(sandbox, "POST /checkout-sessions", options);
    const { key } = await sandbox.control.regenerateKey(organization_id, { environment: "test", kind: "secret" });
    expect((await api(sandbox, `GET /checkout-sessions/${json.id}`, { key })).status).toBe(200);
  });

  it("unknown organizations, keys, kinds and fields are refused", async () => {
    const sandbox = await openSandbox();
    const shop = await newShop(sandbox);
    const other = await newShop(sandbox);
    const path = `/organizations/${shop.organization_id}/keys`;
    expect((await control(sandbox, `POST ${path}/revoke`, { key: other.keys.test.secret })).status).toBe(404);
    expect(await statusWith(sandbox, other.keys.test.secret)).toBe(200);
    expect((await control(sandbox, "POST /organizations/nobody/keys", secretTestKey)).status).toBe(404);
    expect((await control(sandbox, `POST ${path}`, { ...secretTestKey, kind: "root" })).json.error.message).toBe(
      'Invalid value for "kind": must be secret or publishable.',
    );
    expect((await control(sandbox, `POST ${path}`, { ...secretTestKey, name: "CI" })).json.error.message).toBe(
      'Unknown field "name".',
    );
  });

  it("after a restart, a regenerated key is still current and a revoked key is still revoked", async () => {
    const data = await mkdtemp(join(tmpdir(), "sandbox-"));
    closeAfterTest(() => rm(data, { recursive: true, force: true }));
    const first = await createSandbox({ data });
    const [shop] = await first.control.listOrganizations();
    const id = shop?.organization_id ?? "";
    const { key } = await first.control.regenerateKey(id, { environment: "test", kind: "secret" });
    await first.control.revokeKey(id, { key: first.keys.live.secret });
    await first.close();
    const next = await openSandbox({ data });
    // The empty text: the merchant has no secret live key left.
    expect(next.keys).toEqual({
      test: { ...first.keys.test, secret: key },
      live: { ...first.keys.live, secret: "" },
    });
  });

  it("the console regenerates and revokes keys and shows only their last four characters", async () => {
    const sandbox = await openSandbox();
    const { organization_id, keys } = await newShop(sandbox);
    const page = await openPage(sandbox, `/network/${organization_id}`);
    expect(page.text).toContain(`secret test key <code>…${keys.test.secret.slice(-4)}<`);
    expect(page.text).not.toContain(keys.test.secret);
    const path = `/network/${organization_id}`;
    expect((await submitForm(sandbox, `${path}/regenerate`, secretTestKey)).location).toContain("done=key-regenerated");
    expect(await statusWith(sandbox, keys.test.secret)).toBe(401);
    const numberOfLiveKey = new RegExp(
      `${keys.live.secret.slice(-4)}</code></span><input type="hidden" name="number" value="(\\d+)"`,
    );
    const number = numberOfLiveKey.exec(page.text)?.[1] ?? "";
    await submitForm(sandbox, `${path}/revoke`, { number });
    expect(await statusWith(sandbox, keys.live.secret)).toBe(401);
  });
});

describe("a publishable key", () => {
  const number = "4242424242424242";

  it("the browser of a shopper confirms a card only with the publishable key and the client secret", async () => {
    const sandbox = await openSandbox();
    const shop = await newShop(sandbox);
    // The server of the shop creates the charge with its secret key.
    const { json } = await moveMoney(sandbox, "/charge/card", cardCharge, { key: shop.keys.test.secret });
    const { id, client_secret } = json.data;
    const confirm = async (fields: Json) =>
      (await control(sandbox, `POST /card-charges/${id}/confirm`, { number, ...fields })).json;
    // The browser of the shopper knows the publishable key, and the client secret of this one charge.
    const publishable_key = shop.keys.test.publishable;
    expect((await confirm({ publishable_key })).error.code).toBe("bad_request");
    const wrong = `${client_secret.slice(0, -1)}x`;
    expect((await confirm({ publishable_key, client_secret: wrong })).error.code).toBe("forbidden");
    for (const [key, code] of [
      [shop.keys.test.secret, "forbidden"],
      [shop.keys.live.publishable, "not_found"],
      [sandbox.keys.test.publishable, "not_found"],
      ["svc_pk_test_nobody", "unauthorized"],
    ]) {
      expect((await confirm({ publishable_key: key, client_secret })).error.code).toBe(code);
    }
    expect(await eventNames(sandbox)).toEqual(["PAYMENT_CREATED"]);
    expect((await confirm({ publishable_key, client_secret })).data.status).toBe("succeeded");
    // The server reads the charge: what the browser reports proves nothing.
    const read = await api(sandbox, `GET /charge/card/${id}`, { key: shop.keys.test.secret });
    expect(read.json.data.status).toBe("succeeded");
  });

  it("a publishable key cannot read, open a session, register an endpoint or act for a member", async () => {
    const sandbox = await openSandbox();
    const key = sandbox.keys.test.publishable;
    for (const [route, body] of [
      ["GET /transactions", undefined],
      ["GET /accounts/balance", undefined],
      ["POST /checkout-sessions", { amount: 5000 }],
      ["POST /webhooks", { url: "https://shop.example/hooks", authorized_events: ["PAYMENT_SUCCEEDED"] }],
    ] as const) {
      const { status, json } = await api(sandbox, route, { key, body });
      expect([route, status, json.error.code]).toEqual([route, 403, "forbidden"]);
    }
    const headers = { "Service-Account": "acct_1234567890abcdef" };
    const delegated = await api(sandbox, "GET /transactions", { key, headers });
    expect(delegated.json.error.message).toBe("Network requests require a secret API key");
  });

  it("a card cannot be confirmed with a revoked publishable key or the key of a suspended merchant", async () => {
    const sandbox = await openSandbox();
    const { organization_id, keys } = await newShop(sandbox);
    const { data } = (await moveMoney(sandbox, "/charge/card", cardCharge, { key: keys.test.secret })).json;
    const { client_secret } = data;
    const confirm = async (publishable_key: string) =>
      (await control(sandbox, `POST /card-charges/${data.id}/confirm`, { number, publishable_key, client_secret }))
        .json;
    const fresh = await sandbox.control.regenerateKey(organization_id, { environment: "test", kind: "publishable" });
    expect((await confirm(keys.test.publishable)).error.code).toBe("unauthorized");
    await control(sandbox, `PATCH /organizations/${organization_id}`, { status: "suspended" });
    expect((await confirm(fresh.key)).error.code).toBe("api_access_suspended");
  });
});
