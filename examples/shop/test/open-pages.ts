import { createMemoryLedger } from "@tillkit/core/memory";
import { closeServer, listen } from "../src/demo/ports.ts";
import { createShop, type Shop } from "../src/shop.ts";
import { createVisitor, type Visitor } from "../src/visitor/visitor.ts";

export type OpenPages = {
  readonly url: string;
  readonly shop: Shop;
  visitor(language?: string): Visitor;
  close(): Promise<void>;
};

/** The shop's pages with a payment service that refuses every request, for tests of all pages before the payment. */
export async function openPages(owner = true): Promise<OpenPages> {
  const { server, port } = await listen(0);
  const service = await openRefusingService();
  const url = `http://127.0.0.1:${port}`;
  const shop = await createShop({
    databaseUrl: "sqlite::memory:",
    publicUrl: url,
    hostedPages: service.url,
    environment: "test",
    ledger: createMemoryLedger(),
    keys: ["a key that only this test knows, long enough"],
    operatorTokens: ["a token that only this test knows, long enough"],
    credential: {
      apiKey: `svc_sk_test_${"a".repeat(32)}`,
      baseUrl: service.url,
      endpointId: "shop",
      webhookSecrets: [`whsec_${"0".repeat(32)}`],
    },
    owner,
  });
  server.on("request", shop.listener);
  async function close(): Promise<void> {
    await closeServer(server);
    await shop.close();
    await service.close();
  }

  return { url, shop, visitor: (language = "fr") => createVisitor(language), close };
}

async function openRefusingService(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { server, port } = await listen(0);
  server.on("request", (_request, response) => {
    response.writeHead(400, { "Content-Type": "application/json" });
    response.end('{"error":{"code":"bad_request","message":"Not today"},"request_id":"r"}');
  });
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}
