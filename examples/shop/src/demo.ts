import { join, resolve } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { type Activity, createSandbox, type Sandbox } from "@tillkit/sandbox";
import { lockFolder, readSavedState, writeSavedState } from "./demo/folder.ts";
import { closeServer, listen, preferredPortOrAny } from "./demo/ports.ts";
import { registerWebhook } from "./demo/register-webhook.ts";
import { createShop, type Shop } from "./shop.ts";

export type Demo = {
  readonly shopUrl: string;
  readonly operatorToken: string;
  /** Logs in at the operators' pages once. */
  readonly operatorLink: string;
  readonly shop: Shop;
  readonly sandbox: Sandbox;
  close(): Promise<void>;
};

/** Functions that are called at each step of the start, and for everything that the sandbox does. */
export type DemoListeners = {
  readonly onStep?: (text: string) => void;
  readonly onActivity?: (activity: Activity) => void;
};

const ENDPOINT_ID = "shop";

/**
 * Starts the sandbox and the shop on free ports of this machine, with all their data in one folder. They communicate only over
 * HTTP: the shop knows the sandbox's address, key and webhook secret, as with the real service.
 *
 * @throws Error with one sentence if the folder is in use
 */
export async function openDemo(folder: string, { onStep, onActivity }: DemoListeners = {}): Promise<Demo> {
  const dataFolder = resolve(folder);
  const closers = [await lockFolder(dataFolder)];
  // Close in reverse order, also when the start fails halfway.
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const state = await readSavedState(dataFolder);
    const sandboxPort = await preferredPortOrAny(state.sandboxPort);
    const sandbox = await createSandbox({
      data: join(dataFolder, "sandbox"),
      port: sandboxPort,
      ...(onActivity && { onActivity }),
    });
    closers.push(() => sandbox.close());
    await nameMerchant(sandbox);
    onStep?.("The payment service (sandbox) is ready");

    const { server, port } = await listen(state.shopPort);
    closers.push(() => closeServer(server));
    const shopUrl = `http://127.0.0.1:${port}`;
    const { secret: apiKey } = sandbox.keys.test;
    const service = { apiKey, baseUrl: sandbox.baseUrl };
    const webhook = await registerWebhook(service, `${shopUrl}/hooks/service/${ENDPOINT_ID}`, state.webhook);
    await writeSavedState(dataFolder, {
      ...state,
      shopPort: port,
      sandboxPort: Number(new URL(sandbox.baseUrl).port),
      webhook,
    });
    onStep?.("The shop's webhook is registered with the payment service");

    const ledger = await openLedger(`sqlite:${join(dataFolder, "ledger.db")}`);
    closers.push(() => ledger.close());
    const shop = await createShop({
      databaseUrl: `sqlite:${join(dataFolder, "shop.db")}`,
      publicUrl: shopUrl,
      hostedPages: sandbox.checkoutBaseUrl,
      environment: "test",
      ledger,
      keys: state.keys,
      operatorTokens: [state.operatorToken],
      credential: { ...service, endpointId: ENDPOINT_ID, webhookSecrets: [webhook.secret] },
      owner: true,
    });
    closers.push(async () => {
      // The server closes first, so that no request arrives while the shop closes.
      await closeServer(server);
      await shop.close();
    });
    server.on("request", shop.listener);
    onStep?.("The shop is open");
    const operatorLink = shop.checkout.operatorLoginLink?.() ?? `${shopUrl}/operators`;
    return { shopUrl, operatorToken: state.operatorToken, operatorLink, shop, sandbox, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Enters the shop's name in the sandbox, as a merchant does at the service, so that the hosted page shows it. */
async function nameMerchant({ control, keys }: Sandbox): Promise<void> {
  const organizations = await control.listOrganizations();
  const merchant = organizations.find((organization) => organization.keys.test.secret === keys.test.secret);
  if (merchant) await control.updateOrganization(merchant.organization_id, { name: "Chez Adjoua" });
}
