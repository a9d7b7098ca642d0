import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import type { Sandbox } from "@tillkit/sandbox";
import type { SimulatedShop } from "@tillkit/shopify-simulator";

/** The setup by the owner: installs the app and enters the keys of the service on its settings page. */
export async function setUpShop(shop: SimulatedShop, sandbox: Sandbox, appUrl: string): Promise<void> {
  const { cookies, text } = await shop.install();
  const handle = shop.domain.slice(0, shop.domain.indexOf("."));
  const testSecret = await registerWebhook(sandbox, `${appUrl}/hooks/service/test_${handle}`);
  const [, form = ""] = /name="form" value="([^"]+)"/.exec(text) ?? [];
  const { status } = await fetch(`${appUrl}/shopify/settings`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookies },
    body: new URLSearchParams({ form, testKey: sandbox.keys.test.secret, testSecret, gatewayName: "Mobile money" }),
  });
  if (status !== 303) throw new Error(`The settings page rejected the keys of the service (${status}).`);
}

async function registerWebhook({ keys, baseUrl }: Sandbox, url: string): Promise<string> {
  const { webhooks } = createServiceClient({ apiKey: keys.test.secret, baseUrl });
  const { data } = await webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS] });
  if (!data.secret) throw new Error("The service returned no secret for the webhook.");
  return data.secret;
}
