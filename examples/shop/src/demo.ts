import { join, resolve } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { readMemory, takeFolder, writeMemory } from "./demo/folder.ts";
import { closeServer, freeOrAny, listen } from "./demo/ports.ts";
import { registerWebhook } from "./demo/register-webhook.ts";
import { createShop, type Shop } from "./shop.ts";

export type Demo = {
  readonly shopUrl: string;
  readonly operatorToken: string;
  readonly shop: Shop;
  readonly sandbox: Sandbox;
  close(): Promise<void>;
};

const ENDPOINT_ID = "shop";

/**
 * Starts the sandbox and the shop on free ports of this machine, with all their data in one folder. They communicate only over
 * HTTP: the shop knows the sandbox's address, key and webhook secret, as with the real service.
 *
 * @throws Error with one sentence if the folder is in use
 */
export async function openDemo(folder: string, onStep: (text: string) => void = () => undefined): Promise<Demo> {
  const place = resolve(folder);
  const closers = [await takeFolder(place)];
  // Close in reverse order, also when the start fails halfway.
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const memory = await readMemory(place);
    const sandbox = await createSandbox({ data: join(place, "sandbox"), port: await freeOrAny(memory.sandboxPort) });
    closers.push(() => sandbox.close());
    await nameMerchant(sandbox);
    onStep("The payment service (sandbox) is ready");

    const { server, port } = await listen(memory.shopPort);
    closers.push(() => closeServer(server));
    const shopUrl = `http://127.0.0.1:${port}`;
    const { secret: apiKey } = sandbox.keys.test;
    const service = { apiKey, baseUrl: sandbox.baseUrl };
    const webhook = await registerWebhook(service, `${shopUrl}/hooks/service/${ENDPOINT_ID}`, memory.webhook);
    await writeMemory(place, {
      ...memory,
      shopPort: port,
      sandboxPort: Number(new URL(sandbox.baseUrl).port),
      webhook,
    });
    onStep("The shop's webhook is registered with it");

    const ledger = await openLedger(`sqlite:${join(place, "ledger.db")}`);
    closers.push(() => ledger.close());
    const shop = await createShop({
      databaseUrl: `sqlite:${join(place, "shop.db")}`,
      publicUrl: shopUrl,
      hostedPages: sandbox.checkoutBaseUrl,
      environment: "test",
      ledger,
      keys: memory.keys,
      operatorTokens: [memory.operatorToken],
      credential: { ...service, endpointId: ENDPOINT_ID, webhookSecrets: [webhook.secret] },
      owner: true,
    });
    closers.push(async () => {
      // Nobody is let in while the shop closes.
      await closeServer(server);
      await shop.close();
    });
    server.on("request", shop.listener);
    onStep("The shop is open");
    return { shopUrl, operatorToken: memory.operatorToken, shop, sandbox, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The hosted page names the shop, as it would after signing up with the service. */
async function nameMerchant({ control, keys }: Sandbox): Promise<void> {
  const organizations = await control.listOrganizations();
  const own = organizations.find((organization) => organization.keys.test.secret === keys.test.secret);
  if (own) await control.updateOrganization(own.organization_id, { name: "Chez Adjoua" });
}
