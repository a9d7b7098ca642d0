import type { PaymentLedger } from "@tillkit/core";
import { listStoreBlocks } from "@tillkit/core/hosts";
import { canList } from "@tillkit/runtime";
import { serverLimits } from "../../limits.ts";
import type { SelfService } from "../../options/operator-options.ts";
import type { StoreState } from "../../store-state.ts";
import { type RegisteredStore, registeredEndpointId } from "../../stores/store-registry.ts";
import { missingPage } from "../pages/missing-page.ts";
import { type ShownShop, shopsPage } from "../pages/shops-page.ts";
import type { ShopAct } from "../texts/shop-texts.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse, redirectTo } from "./operator-request.ts";
import { recordAct } from "./record-act.ts";

/** The shops that their owners connected. */
export async function showShops(request: OperatorRequest): Promise<OperatorResponse> {
  return await showList(request, null);
}

/** Shows a new invitation code on the answer itself: an address would stay in the history of the browser and in logs. */
export async function inviteShop(request: OperatorRequest): Promise<OperatorResponse> {
  const { selfService } = request;
  if (selfService === null) return noShops(request);
  await recordAct(request, { act: "shop_invite", paymentId: null, detail: "" });
  return await showList(request, await selfService.invitations.create());
}

/** Withdraws an invitation code that has connected no shop. */
export async function withdrawInvitation(request: OperatorRequest): Promise<OperatorResponse> {
  const { selfService, id } = request;
  if (selfService === null) return noShops(request);
  const invitation = (await selfService.invitations.open()).find((open) => open.id === id);
  if (invitation === undefined) return redirectTo(request, "/shops?problem=code");
  await recordAct(request, { act: "shop_uninvite", paymentId: null, detail: `${invitation.begins}…` });
  const isDone = await selfService.invitations.withdraw(id);
  return redirectTo(request, isDone ? "/shops" : "/shops?problem=code");
}

/** Approves, suspends, resumes or removes a shop. */
export async function changeShop(request: OperatorRequest): Promise<OperatorResponse> {
  const { selfService, id: storeId, params } = request;
  const act = ACTS.find((known) => known === params.act);
  if (selfService === null || act === undefined) return noShops(request);
  const store = await selfService.registry.find(storeId);
  const change = CHANGES[act];
  if (store === null || !change.from.includes(store.state)) return redirectTo(request, "/shops?problem=changed");
  await recordAct(request, { act: `shop_${act}`, paymentId: null, detail: storeId });
  await change.run(selfService, storeId);
  return redirectTo(request, "/shops");
}

type Change = {
  readonly from: readonly StoreState[];
  run(selfService: SelfService, storeId: string): Promise<unknown>;
};

const moving = (from: StoreState, to: StoreState): Change => ({
  from: [from],
  run: ({ registry }, storeId) => registry.change(storeId, [from], to),
});

const CHANGES: Readonly<Record<ShopAct, Change>> = {
  approve: moving("waiting", "connected"),
  suspend: moving("connected", "suspended"),
  resume: moving("suspended", "connected"),
  remove: {
    from: ["waiting", "connected", "suspended"],
    run: ({ disconnect }, storeId) => disconnect(storeId),
  },
};

const ACTS = Object.keys(CHANGES) as readonly ShopAct[];

async function showList(request: OperatorRequest, invitationCode: string | null): Promise<OperatorResponse> {
  const { selfService, engine, ledger, publicUrl, context, query } = request;
  if (selfService === null) return noShops(request);
  const limit = serverLimits.rowsPerPage;
  const { after } = query;
  const [stores, invitations, blocks, dead, deliveries] = await Promise.all([
    selfService.registry.list({ limit, ...(after === undefined ? {} : { after }) }),
    selfService.invitations.open(),
    listStoreBlocks(ledger.records, { now: context.now, endedSince: context.now }),
    ledger.listJobs({ dead: true, limit: serverLimits.maxRetriedJobs }),
    ledger.listDeliveries({ limit: serverLimits.maxEndpointDeliveries }),
  ]);
  const testOnly = await Promise.all(stores.map(({ storeId }) => hasOnlyTestKey(engine.ledger, storeId)));
  const shops = stores.map((store, index): ShownShop => {
    const endpoints = (["live", "test"] as const).map((mode) => registeredEndpointId(store.storeId, mode));
    return {
      ...store,
      acts: offeredActs(store),
      lastWebhookAt: deliveries.rows.find(({ endpointId }) => endpoints.includes(endpointId))?.receivedAt ?? null,
      stoppedJobs: dead.rows.filter(({ storeId }) => storeId === store.storeId).length,
      isRefusing: blocks.some(({ storeId }) => storeId === store.storeId),
      isTestOnly: testOnly[index] === true,
    };
  });
  const next = stores.length === limit ? (stores.at(-1)?.storeId ?? null) : null;
  const page = { shops, next, after: after ?? null, invitations, invitationCode, serverUrl: publicUrl, query };
  return pageResponse(shopsPage(page, context));
}

async function hasOnlyTestKey(ledger: PaymentLedger, storeId: string): Promise<boolean> {
  const keys = canList(ledger) ? await ledger.credentials.find({ storeId }) : [];
  return keys.length > 0 && keys.every(({ environment }) => environment === "test");
}

function offeredActs({ state }: RegisteredStore): readonly ShopAct[] {
  return ACTS.filter((act) => CHANGES[act].from.includes(state));
}

function noShops({ context }: OperatorRequest): OperatorResponse {
  return pageResponse(missingPage(context.texts.pageNotFound, context), 404);
}
