import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { openLedger } from "@tillkit/ledger";
import { createSandbox } from "@tillkit/sandbox";
import { linesOf, startProgram } from "./program.ts";

const LINK_SECRET = "a link secret of the tests, never of a real shop";
const KEY = "a key of the tests that signs links, never of a real host";

/** One process of the program `tillkit woocommerce serve`. */
export type ServeProcess = { readonly child: ChildProcess; readonly url: string; kill(): Promise<void> };

export type SplitShop = Awaited<ReturnType<typeof openSplitShop>>;

/**
 * A WooCommerce shop, the sandbox of the service, two receivers behind a load balancer and two workers, each a process of the
 * built program, on one PostgreSQL.
 * @param listenUrl the address of PostgreSQL itself, when `database` is the address of a pooler
 */
export async function openSplitShop(database: string, listenUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-roles-"));
  const sandbox = await createSandbox();
  const receivers: ServeProcess[] = [];
  const balancer = await startBalancer(receivers);
  const plugin = { checkoutServerUrl: balancer.url, storeId: "boutique", linkSecret: LINK_SECRET };
  const shop = await createFakeWooCommerce({ plugin });
  const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const { data } = await client.webhooks.create({
    url: `${balancer.url}/hooks/service/boutique`,
    authorized_events: ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED"],
  });
  const configFile = join(folder, "woocommerce.json");
  const store = {
    id: "boutique",
    url: shop.url,
    linkSecret: LINK_SECRET,
    currencies: ["XOF"],
    apiKey: sandbox.keys.test.secret,
    consumerKey: shop.consumerKey,
    consumerSecret: shop.consumerSecret,
    webhookSecrets: [data.secret],
  };
  await writeFile(
    configFile,
    JSON.stringify({
      publicUrl: balancer.url,
      listen: { port: 0 },
      database,
      databaseListenUrl: listenUrl,
      keys: [KEY],
      service: { baseUrl: sandbox.baseUrl },
      stores: [store],
    }),
  );
  const ledger = await openLedger(listenUrl);
  // One after the other: the first one makes the tables.
  receivers.push(await startProcess(configFile, "receiver"), await startProcess(configFile, "receiver"));
  const workers = await Promise.all([startProcess(configFile, "worker"), startProcess(configFile, "worker")]);

  return {
    sandbox,
    shop,
    ledger,
    receivers,
    workers,
    balancer,
    /** Places an order and follows its pay link to this receiver, which creates a session. `payOrder` pays it. */
    async placeOrder(receiver: ServeProcess) {
      const order = shop.shop.placeOrder({ total: "5000" });
      const link = new URL(shop.payLink(order.id));
      const answer = await fetch(`${receiver.url}${link.pathname}${link.search}`, { redirect: "manual" });
      if (answer.status !== 303) throw new Error(`The pay link was answered ${answer.status}.`);
      return order;
    },
    async payOrder(orderId: number) {
      const [payment] = await ledger.paymentsOfOrder({ storeId: "boutique", orderId: String(orderId) });
      await sandbox.control.paySession(payment?.session?.id ?? "", { method: "card", outcome: "completed" });
    },
    async stateOf(orderId: number) {
      return (await ledger.paymentsOfOrder({ storeId: "boutique", orderId: String(orderId) })).at(-1)?.state;
    },
    async close() {
      await Promise.all([...receivers, ...workers].map(({ kill }) => kill()));
      await ledger.close();
      await balancer.close();
      await shop.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startProcess(configFile: string, role: string): Promise<ServeProcess> {
  const child = startProgram(["woocommerce", "serve", "--json", "--role", role, "--config", configFile]);
  child.stderr?.resume();
  const line = (await linesOf(child).next()).value ?? "{}";
  const ready: { baseUrl: string; role: string } = JSON.parse(line);
  if (ready.role !== role) throw new Error(`The program started as ${ready.role} instead of ${role}.`);
  return {
    child,
    url: ready.baseUrl,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Sends each request to the next receiver that runs, and counts its answers. A request is never sent to two receivers. */
async function startBalancer(receivers: readonly ServeProcess[]) {
  // The key is the answering process, the first part of the path and the status, such as "4711 hooks 200".
  const answered = new Map<string, number>();
  let requestCount = 0;
  let onlyReceiver: ServeProcess | null = null;
  const server = createServer((incoming, response) => {
    const running = receivers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    const receiver = onlyReceiver ?? running[requestCount % running.length];
    requestCount += 1;
    if (!receiver) return void response.writeHead(503).end();
    const { method, headers, url = "" } = incoming;
    const outgoing = request(`${receiver.url}${url}`, { method, headers, agent: false }, (answer) => {
      const name = `${receiver.child.pid} ${url.split("/")[1]} ${answer.statusCode}`;
      answered.set(name, (answered.get(name) ?? 0) + 1);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sends every request to this receiver, or with null to each in turn. */
    sendTo(receiver: ServeProcess | null) {
      onlyReceiver = receiver;
    },
    /** How many webhooks this receiver answered with 200. */
    webhooksOf: ({ child }: ServeProcess) => answered.get(`${child.pid} hooks 200`) ?? 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
