import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServiceClient, type ServiceClient } from "@tillkit/client";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";

/** What commands work with: a sandbox of the service, a shop's server on this machine, and a folder for files. */
export type MerchantFixture = {
  readonly sandbox: Sandbox;
  readonly service: ServiceClient;
  readonly folder: string;
  /** The environment of the program: the sandbox, its test key, the ledger, and no profile of the person who runs the tests. */
  readonly env: Readonly<Record<"DATABASE_URL" | "SERVICE_WEBHOOK_SECRET", string>> & Readonly<Record<string, string>>;
  /** The address of the shop's server. It answers 200, or the next of `shopAnswers`. */
  readonly shopUrl: string;
  readonly shopAnswers: number[];
  openSession(): Promise<string>;
  paySession(): Promise<{ readonly session: string; readonly transaction: string }>;
  /** Registers a webhook endpoint of the shop's server and returns its ID. */
  addEndpoint(): Promise<string>;
  /** Writes a file and returns its path. */
  saveFile(name: string, content: string | object): Promise<string>;
  close(): Promise<void>;
};

export async function createMerchantFixture(): Promise<MerchantFixture> {
  const sandbox = await createSandbox();
  const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const folder = await mkdtemp(join(tmpdir(), "tillkit-merchant-"));
  const shopAnswers: number[] = [];
  const shop = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(shopAnswers.shift() ?? 200).end('{"ok":true}'));
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  let endpoints = 0;
  const merchant: MerchantFixture = {
    sandbox,
    service,
    folder,
    env: {
      SERVICE_BASE_URL: sandbox.baseUrl,
      SERVICE_SECRET_KEY: sandbox.keys.test.secret,
      SERVICE_WEBHOOK_SECRET: "whsec_of_the_tests_0123456789",
      TILLKIT_KEYS: "the key of this merchant, which is long enough",
      DATABASE_URL: `sqlite:${join(folder, "ledger.db")}`,
      XDG_CONFIG_HOME: folder,
    },
    shopUrl,
    shopAnswers,
    openSession: async () =>
      (await service.checkoutSessions.create({ amount: 5000, currency_code: "XOF", title: "A hat" })).data.id,
    async paySession() {
      const session = await merchant.openSession();
      const paid = await sandbox.control.paySession(session, { method: "wave", outcome: "completed" });
      return { session, transaction: String(paid.transaction_id) };
    },
    async addEndpoint() {
      endpoints += 1;
      const url = `${shopUrl}/webhooks/${endpoints}`;
      return (await service.webhooks.create({ url, authorized_events: ["PAYMENT_SUCCEEDED"] })).data.id ?? "";
    },
    async saveFile(name, content) {
      const file = join(folder, name);
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
    async close() {
      shop.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return merchant;
}
