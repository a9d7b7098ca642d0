import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/fake-woocommerce";
import type { KillFixture } from "./fixture.ts";
import type { ShopActions } from "./shop-actions.ts";
import { createOwner, type Owner } from "./shop-owner.ts";

/** What two shops and a copy of one did on a server where owners connect their shops. */
export type ShopLife = {
  readonly owners: readonly Owner[];
  /** Every key of the service that was entered. */
  readonly keys: readonly string[];
  readonly invitations: readonly string[];
};

/**
 * A neighbour and a shop connect. The shop changes its link secret and its key, is copied, moves, leaves and comes back, and all take payments
 * in between. The shops are added to `shops`, which outlive the servers. `beforeAct` runs before what is done for the first time.
 */
export async function liveAsShop(
  fixture: KillFixture,
  actions: ShopActions,
  shops: FakeWooCommerce[],
  beforeAct: () => Promise<void>,
): Promise<ShopLife> {
  const invitations: string[] = [];
  const open = async () => {
    const shop = await createFakeWooCommerce({ clock: fixture.clock });
    shops.push(shop);
    return shop;
  };
  const invite = async () => {
    const code = await fixture.request("invite", null);
    invitations.push(code);
    return code;
  };
  const [oldKey, key] = await keysOf(fixture);
  const [neighbour, owner] = [createOwner(fixture, actions, await open()), createOwner(fixture, actions, await open())];
  await neighbour.connect({ apiKey: oldKey, invitation: await invite() });
  await neighbour.sell();
  const invitation = await invite();
  await beforeAct();
  await owner.connect({ apiKey: oldKey, invitation });
  await owner.sell();
  await beforeAct();
  await owner.connect({ apiKey: "", knownKey: oldKey });
  await beforeAct();
  await owner.connect({ apiKey: key, knownKey: oldKey });
  await owner.sell();
  const copy = owner.copyTo(await open());
  await copy.connect({ apiKey: key, invitation: await invite(), move: "copy" });
  owner.moveTo(await open());
  await beforeAct();
  await owner.connect({ apiKey: key, move: "moved" });
  await Promise.all([owner.sell(), copy.sell()]);
  await beforeAct();
  await owner.disconnect();
  if (await owner.tryToConnect({ apiKey: key, invitation }))
    throw new Error("An invitation brought the shop back after it had left.");
  await owner.connect({ apiKey: key, invitation: await invite() });
  await Promise.all([owner.sell(), neighbour.sell()]);
  return { owners: [neighbour, owner, copy], keys: [oldKey, key], invitations };
}

/** The first key of the merchant, and one that the merchant makes later. */
async function keysOf({ sandbox }: KillFixture): Promise<readonly [string, string]> {
  const { control, keys } = sandbox;
  const [organization] = await control.listOrganizations();
  const kind = { environment: "test", kind: "secret" } as const;
  const { key } = await control.generateKey(organization?.organization_id ?? "", kind);
  return [keys.test.secret, key];
}
