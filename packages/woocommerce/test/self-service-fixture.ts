import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { type Clock, type Ledger, type Log, systemClock } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/fake-woocommerce";
import { type CallPurpose, sign, signCall } from "@tillkit/php-bridge";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { createWooCommerceServer, type WooCommerceConfigInput, type WooCommerceServer } from "@tillkit/woocommerce";
import { onTestFinished } from "vitest";

const OPERATOR_TOKEN = "the token of the operator of many shops, long enough";

export const SERVER_KEY = "a key of the tests that signs links, never of a real host";

type FakeOptions = Parameters<typeof createFakeWooCommerce>[0];

type SelfServiceInput = Extract<WooCommerceConfigInput, { stores: string }>;

export type Fixture = {
  readonly url: string;
  readonly ledger: Ledger;
  readonly sandbox: Sandbox;
  readonly server: WooCommerceServer;
  openShop(options?: FakeOptions): Promise<Owner>;
  /** Another process on the same ledger answers from now on; the first one still works. */
  startAnother(): Promise<void>;
};

/** A shop and its owner, who has the plugin and a browser. */
export type Owner = {
  readonly fake: FakeWooCommerce;
  /** Sends the page's form after a click on "Connect", with the plugin's own fields. */
  connect(fields?: Record<string, string>, path?: string): Promise<Response>;
  /** The id and the secret that the plugin got; null before it is connected. */
  link(): { readonly storeId: string; readonly secret: string } | null;
  call(purpose: CallPurpose, body: object, secret?: string): Promise<{ status: number; body: Record<string, unknown> }>;
  pay(): Promise<Response>;
};

type Surroundings = { readonly log: Log; readonly clock: Clock; readonly ledger: Ledger };

export async function openServer(
  config: Partial<SelfServiceInput> = {},
  { log = SILENT, clock = systemClock, ledger = createMemoryLedger() }: Partial<Surroundings> = {},
): Promise<Fixture> {
  const sandbox = await createSandbox();
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const input = {
    publicUrl: url,
    database: "sqlite::memory:",
    keys: [SERVER_KEY],
    service: { baseUrl: sandbox.baseUrl },
    operators: { tokens: [OPERATOR_TOKEN] },
    stores: "self-service",
    admission: "open",
    ...config,
  } as SelfServiceInput;
  const servers: WooCommerceServer[] = [];
  async function start(): Promise<WooCommerceServer> {
    const server = await createWooCommerceServer(input, { ledger, log, clock });
    servers.push(server);
    http.removeAllListeners("request").on("request", server.listener);
    server.start();
    return server;
  }
  const server = await start();
  onTestFinished(async () => {
    for (const { close } of servers) await close();
    await closeServer(http);
    await sandbox.close();
  });
  const startAnother = async () => void (await start());
  const fixture: Fixture = {
    url,
    ledger,
    sandbox,
    server,
    openShop: (options) => openShop(fixture, options),
    startAnother,
  };
  return fixture;
}

const SILENT = { info() {}, warn() {}, error() {} };

function closeServer(http: Server): Promise<void> {
  http.closeAllConnections();
  return new Promise((resolve) => http.close(() => resolve()));
}

async function openShop({ url, sandbox }: Fixture, options?: FakeOptions): Promise<Owner> {
  const fake = await createFakeWooCommerce(options);
  onTestFinished(() => fake.close());
  let link: ReturnType<Owner["link"]> = null;
  return {
    fake,
    link: () => link,
    async connect(fields = {}, path = "/bridge/v1/pair/confirm") {
      const code = fake.startPairing(url);
      const proof = link && { store: link.storeId, proof: sign(["tillkit v1 pair", link.storeId, code], link.secret) };
      const form = { shop: fake.url, code, language: "en", apiKey: sandbox.keys.test.secret, ...proof, ...fields };
      const answer = await post(url + path, form);
      const stored = fake.settings();
      if (stored !== null) link = { storeId: stored.storeId, secret: stored.linkSecret };
      return answer;
    },
    async call(purpose, body, secret = link?.secret ?? "") {
      const bytes = Buffer.from(JSON.stringify(body));
      const time = String(Math.floor(Date.now() / 1_000));
      const headers = signCall({ purpose, store: link?.storeId ?? "", time, body: bytes }, secret);
      const answer = await fetch(`${url}/bridge/v1/${purpose}`, { method: "POST", headers, body: bytes });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    async pay() {
      const order = fake.shop.placeOrder({ total: "5000" });
      return await fetch(fake.payLink(order.id), { redirect: "manual", headers: { "Accept-Language": "en" } });
    },
  };
}

export const post = (url: string, form: Record<string, string>) =>
  fetch(url, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

export async function webhookUrls({ sandbox }: Fixture, key = sandbox.keys.test.secret): Promise<readonly string[]> {
  const { webhooks } = createServiceClient({ apiKey: key, baseUrl: sandbox.baseUrl });
  const urls: string[] = [];
  for await (const { url } of webhooks.list()) urls.push(url ?? "");
  return urls;
}

export const stores = async ({ ledger }: Fixture) =>
  (await ledger.records.list({ kind: "registered-store", limit: 99 })).map(({ value }) => value);

/** An operator who logged in with the token. Returns how to send a form. */
export async function logIn({ url }: Fixture): Promise<(path: string) => Promise<string>> {
  const cookieOf = (answer: Response) => (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
  const tokenIn = (page: string) => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const first = await fetch(`${url}/operators/login`);
  const visitor = cookieOf(first);
  const form = tokenIn(await first.text());
  const fields = new URLSearchParams({ form, token: OPERATOR_TOKEN });
  const init = { method: "POST", redirect: "manual" } as const;
  const cookie = cookieOf(
    await fetch(`${url}/operators/login`, { ...init, headers: { cookie: visitor }, body: fields }),
  );
  const page = await (await fetch(`${url}/operators/test/shops`, { headers: { cookie } })).text();
  return async (path) => {
    const body = new URLSearchParams({ form: tokenIn(page) });
    return await (await fetch(`${url}/operators/test${path}`, { ...init, headers: { cookie }, body })).text();
  };
}

export async function invite(fixture: Fixture): Promise<string> {
  const operator = await logIn(fixture);
  return /[0-9A-F]{5}(?:-[0-9A-F]{5}){5}/.exec(await operator("/shops/invite"))?.[0] ?? "";
}

/** One request to a server whose public address leads elsewhere. */
export async function request(
  listener: WooCommerceServer["listener"],
  path: string,
  form: Record<string, string>,
): Promise<Response> {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  try {
    return await post(`http://127.0.0.1:${(http.address() as AddressInfo).port}${path}`, form);
  } finally {
    await closeServer(http);
  }
}
