import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { type CheckoutSettings, checkoutPath } from "./checkout.ts";

const ENDPOINT_ID = "shop";

/** The settings of a real shop. @throws Error that names every variable that is missing */
export function settingsFromEnvironment(shopUrl: string): CheckoutSettings {
  const names = [
    "SERVICE_SECRET_KEY",
    "SERVICE_BASE_URL",
    "SERVICE_WEBHOOK_SECRET",
    "TILLKIT_KEY",
    "OPERATOR_TOKEN",
    "LEDGER_URL",
  ];
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) throw new Error(`Set these environment variables: ${missing.join(", ")}.`);
  const [apiKey = "", baseUrl = "", secret = "", key = "", operatorToken = "", ledgerUrl = ""] = names.map(
    (name) => process.env[name],
  );
  const environment = apiKey.startsWith("svc_sk_live_") ? "live" : "test";
  const service = { apiKey, baseUrl, endpointId: ENDPOINT_ID, webhookSecrets: [secret] };
  return { shopUrl, environment, ledgerUrl, key, operatorToken, service };
}

/** Starts the sandbox of the payment service and registers the shop's webhook there. Everything is stored in `folder`. */
export async function openSandboxSettings(
  shopUrl: string,
  { folder, port }: { readonly folder: string; readonly port: number },
): Promise<{ readonly settings: CheckoutSettings; readonly consoleUrl: string; close(): Promise<void> }> {
  await mkdir(folder, { recursive: true });
  const { createSandbox } = await import("@tillkit/sandbox");
  const sandbox = await createSandbox({ data: join(folder, "sandbox"), port });
  const { baseUrl, consoleUrl, keys } = sandbox;
  const secret = await registerWebhook(
    keys.test.secret,
    baseUrl,
    `${shopUrl}${checkoutPath}/hooks/service/${ENDPOINT_ID}`,
  );
  const service = { apiKey: keys.test.secret, baseUrl, endpointId: ENDPOINT_ID, webhookSecrets: [secret] };
  const settings: CheckoutSettings = {
    shopUrl,
    environment: "test",
    ledgerUrl: `sqlite:${join(folder, "payments.db")}`,
    key: await readOrCreateSecret(join(folder, "key")),
    operatorToken: await readOrCreateSecret(join(folder, "operator-token")),
    service,
  };
  return { settings, consoleUrl, close: () => sandbox.close() };
}

// The service shows a secret only once, so the secret of an endpoint that an earlier run registered is rotated.
async function registerWebhook(apiKey: string, baseUrl: string, url: string): Promise<string> {
  const { webhooks } = createServiceClient({ apiKey, baseUrl });
  for await (const endpoint of webhooks.list()) {
    if (endpoint.url !== url || endpoint.id === undefined) continue;
    return (await webhooks.update(endpoint.id, { rotate_secret: true })).data.secret ?? "";
  }
  return (await webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS] })).data.secret ?? "";
}

// A secret of an earlier run is used again, so that links which it signed stay valid. Only the user of this program can read the file.
async function readOrCreateSecret(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    const secret = randomBytes(32).toString("hex");
    await writeFile(file, secret, { mode: 0o600 });
    return secret;
  }
}
