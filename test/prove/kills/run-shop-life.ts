import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import type { FakeWooCommerce } from "@tillkit/fake-woocommerce";
import { openLedger } from "@tillkit/ledger";
import { createStoreRegistry, isServed } from "@tillkit/server";
import type { CaseRandom } from "./case-random.ts";
import type { CaseResult } from "./case-result.ts";
import { type KillFixture, openFixture, wait } from "./fixture.ts";
import { type CrashPoint, KEYS } from "./messages.ts";
import type { DatabaseName, Resources } from "./resources.ts";
import { createShopActions } from "./shop-actions.ts";
import { liveAsShop, type ShopLife } from "./shop-life.ts";

/**
 * Where processes die. `once`: at one step. `in turn`: in each act the first process dies after step `first`, the next one, which finds what
 * that one left, two steps later, until the act is over. `random`: up to so often at random moments and steps. Null: nowhere. `ledger`: no
 * process dies, but the machine of the ledger may, when the acts begin that `beforeAct` is told of, from 1 on.
 */
export type ShopKills =
  | { readonly kind: "once"; readonly point: CrashPoint }
  | { readonly kind: "in turn"; readonly first: 1 | 2 }
  | { readonly kind: "random"; readonly random: CaseRandom; readonly count: number }
  | { readonly kind: "ledger"; beforeAct(act: number): void };

/** The mean lifetime of a process that is killed from outside, and the mean number of steps before a process kills itself. */
const MEAN_LIFE_MS = 300;
const MEAN_LIFE_STEPS = 6;
/** Longer than half-made connections are kept, and than a replaced link secret is accepted. */
const LATER_MS = 26 * 60 * 60_000;

/** A shop's life at a server whose processes die. Returns the steps of the last process too. */
export async function runShopLife(
  { processes, createDatabase }: Resources,
  database: DatabaseName,
  kills: ShopKills | null,
): Promise<CaseResult & { readonly steps: Readonly<Record<string, number>> }> {
  processes.takeOutput();
  let nextStep = 0;
  let isOver = false;
  const fixture = await openFixture({
    processes,
    postgresUrl: await createDatabase(database),
    roles: ["all"],
    selfService: true,
    isLedgerMortal: kills?.kind === "ledger",
    crashPointOf({ kills: killed }, start) {
      if (kills === null || isOver || kills.kind === "ledger") return null;
      if (kills.kind === "once") return start === 0 ? kills.point : null;
      if (kills.kind === "random") return killed() < kills.count ? randomPoint(kills.random) : null;
      nextStep += 2;
      return nextStep > 2 ? { step: "shops", nth: nextStep - 2, moment: "after" } : null;
    },
  });
  const actions = createShopActions(fixture);
  const shops: FakeWooCommerce[] = [];
  try {
    if (kills?.kind === "random") void keepKilling(fixture, kills, () => isOver);
    let act = 0;
    const life = await liveAsShop(fixture, actions, shops, async () => {
      act += 1;
      if (kills?.kind === "ledger") kills.beforeAct(act);
      if (kills?.kind !== "in turn") return;
      nextStep = kills.first;
      await restart(fixture);
    });
    isOver = true;
    // The last process may have a place to die that it has not come to.
    if (kills !== null && kills.kind !== "once") await restart(fixture);
    const steps = await fixture.request("steps", null);
    await actions.settle(0);
    await fixture.advanceTime(LATER_MS);
    await actions.settle(0);
    const violations = [
      ...(await leftBehind(fixture, life)),
      ...(await wrongLinks(life)),
      ...wrongPayments(life),
      ...shownSecrets(life, processes.takeOutput()),
      ...(database === "sqlite" ? await keysInFile(fixture, life) : []),
    ];
    const wrongKills =
      kills?.kind === "once" && fixture.kills() !== 1 ? [`the process died ${fixture.kills()} times`] : [];
    const checkouts = life.owners.flatMap(({ paid }) => paid).length;
    return { violations: [...violations, ...wrongKills], kills: fixture.kills(), checkouts, steps };
  } finally {
    isOver = true;
    await fixture.close();
    await Promise.all(shops.map((shop) => shop.close()));
  }
}

async function restart(fixture: KillFixture): Promise<void> {
  const before = fixture.kills();
  // There may be no process at this moment, but the next one starts.
  while (fixture.kills() === before) {
    fixture.throwIfFailed();
    for (const process of fixture.liveProcesses()) process.kill();
    await wait(1);
  }
  await fixture.request("activity", null);
}

function randomPoint(random: CaseRandom): CrashPoint | null {
  if (random.happens(0.3)) return null;
  const nth = 1 + Math.floor(random.exponential(MEAN_LIFE_STEPS));
  return { step: "shops", nth, moment: random.pick(["before", "after"]) };
}

async function keepKilling(
  fixture: KillFixture,
  { random, count }: Extract<ShopKills, { kind: "random" }>,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver() && fixture.kills() < count) {
    await wait(random.exponential(MEAN_LIFE_MS));
    if (!isOver()) fixture.liveProcesses()[0]?.kill();
  }
}

/** What belongs to no shop, or is missing for one: at the service, and in the ledger. */
async function leftBehind(fixture: KillFixture, { keys }: ShopLife): Promise<readonly string[]> {
  const ledger = await openLedger(fixture.ledgerUrl, { secretKeys: KEYS });
  const limit = 500;
  try {
    const registry = createStoreRegistry(ledger.records, fixture.clock);
    const stores = await registry.list({ limit });
    const served = stores.filter(isServed).map(({ storeId }) => storeId);
    const holders = await Promise.all(stores.filter(isServed).map(({ address }) => registry.findByAddress(address)));
    const attempts = await ledger.records.list({ kind: "store-attempt", limit });
    const credentials = await ledger.credentials.list();
    const links = await ledger.secrets.list({ kind: "woo-pairing", limit });
    const acts = (await ledger.listActs({ limit })).rows.filter(({ act }) => act === "shop_connect");
    const connected = acts.filter(({ by }) => stores.some(({ storeId }) => storeId === by)).map(({ by }) => by);
    return [
      ...differences(
        "a key",
        served,
        credentials.map(({ storeIds }) => storeIds.join()),
      ),
      ...differences(
        "a link secret",
        served,
        links.map(({ storeId }) => storeId),
      ),
      ...differences(
        "an address",
        served,
        holders.map((holder) => holder?.storeId ?? ""),
      ),
      ...differences(
        "an attempt to connect",
        [],
        attempts.map(({ key }) => key),
      ),
      ...differences(
        "a line about its connection",
        stores.map(({ storeId }) => storeId),
        connected,
      ),
      ...differences(
        "a webhook",
        credentials.map(({ endpointId }) => endpointId),
        await webhooksOf(fixture, keys),
      ),
      ...(await undelivered(
        fixture,
        credentials.map(({ endpointId }) => endpointId),
      )),
    ];
  } finally {
    await ledger.close();
  }
}

/** The endpoints of this server that are registered at the service. */
async function webhooksOf({ sandbox, loadBalancer }: KillFixture, keys: readonly string[]): Promise<readonly string[]> {
  const found = new Map<string, string>();
  for (const apiKey of keys)
    for await (const { id = "", url = "" } of createServiceClient({ apiKey, baseUrl: sandbox.baseUrl }).webhooks.list())
      found.set(id, url.replace(`${loadBalancer.url}/hooks/service/`, ""));
  return [...found.values()];
}

/** A webhook whose secret is not the stored one is refused for ever. */
async function undelivered({ sandbox }: KillFixture, endpoints: readonly string[]): Promise<readonly string[]> {
  const deliveries = await sandbox.control.listDeliveries({ page: { limit: 2_000, offset: 0 } });
  return endpoints.flatMap((endpoint) => {
    const last = deliveries.find(({ url }) => url?.endsWith(`/${endpoint}`) === true);
    return last?.state === "delivered" ? [] : [`the last webhook of ${endpoint} is ${last?.state ?? "missing"}`];
  });
}

function differences(what: string, expected: readonly string[], found: readonly string[]): readonly string[] {
  return [
    ...expected.filter((one) => !found.includes(one)).map((one) => `${one} has not ${what}`),
    ...found.filter((one) => !expected.includes(one)).map((one) => `${what} is left of ${one}`),
    ...(new Set(found).size === found.length ? [] : [`${what} is there twice: ${found.join(", ")}`]),
  ];
}

/** Each secret opens its own shop while it is the present one, and nothing else. */
async function wrongLinks({ owners }: ShopLife): Promise<readonly string[]> {
  const links = owners.flatMap((owner) => owner.links);
  const ids = [...new Set(links.map(({ storeId }) => storeId))];
  const present = owners.map(({ shop }) => shop().settings()?.linkSecret);
  const [anybody] = owners;
  const violations: string[] = [];
  for (const { link, id } of links.flatMap((link) => ids.map((id) => ({ link, id })))) {
    const expected = id === link.storeId && present.includes(link.secret);
    const opens = await anybody?.isServed({ storeId: id, secret: link.secret });
    if (opens === expected) continue;
    violations.push(`a secret of ${link.storeId} ${opens ? "opens" : "does not open"} ${id}`);
  }
  return violations;
}

function wrongPayments({ owners }: ShopLife): readonly string[] {
  return owners.flatMap(({ paid }) =>
    paid.flatMap(({ shop, orderId }) => {
      const count = shop.shop.effects.filter((effect) => effect.orderId === orderId).length;
      return count === 1 ? [] : [`order ${orderId} was paid ${count} times`];
    }),
  );
}

/** Whoever steals the file finds no removed key, not even encrypted, and no secret that can be read. */
async function keysInFile(fixture: KillFixture, life: ShopLife): Promise<readonly string[]> {
  await fixture.backUpLedger();
  const file = join(fixture.folder, "ledger.db.copy");
  // Whoever opens the copy last writes the log of changes into the file.
  const ledger = await openLedger(`sqlite:${file}`);
  const stores = await createStoreRegistry(ledger.records, fixture.clock).list({ limit: 500 });
  await ledger.close();
  const bytes = await readFile(file, "latin1");
  // A row of the file: the id of the key, its environment, its endpoint, and the beginning of the encrypted text.
  const hasKey = ({ storeId }: { readonly storeId: string }) => bytes.includes(`${storeId}-testtest${storeId}-test1.`);
  const found = stores.filter(hasKey).map(({ storeId }) => storeId);
  const served = stores.filter(isServed).map(({ storeId }) => storeId);
  return [
    ...differences("a key in the file", served, found),
    ...(secretsOf(life).some((secret) => bytes.includes(secret)) ? ["the file shows a secret"] : []),
  ];
}

function secretsOf({ owners, keys, invitations }: ShopLife): readonly string[] {
  return [...keys, ...invitations, ...owners.flatMap(({ links }) => links.map(({ secret }) => secret))];
}

function shownSecrets(life: ShopLife, output: string): readonly string[] {
  return secretsOf(life).some((secret) => output.includes(secret)) ? ["the log shows a secret"] : [];
}
