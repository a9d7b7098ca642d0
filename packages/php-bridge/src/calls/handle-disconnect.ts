import { leaveShop } from "../self-service/leave-shop.ts";
import { type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

/** Answers `disconnect`: the owner ends the connection. `leaving`: payments are being finished, so the shop keeps its secret until then. */
export async function handleDisconnect({ context, store, messages }: PluginCall): Promise<CallResponse> {
  if (context.selfService === null) return errorResponse(404, "no_owner_pages", messages.noOwnerPages);
  const { id: storeId } = store.config;
  const { ledger, clock } = context;
  await ledger.recordAct({ at: clock.now(), by: storeId, act: "shop_disconnect", paymentId: null, detail: storeId });
  const state = await leaveShop(context, storeId, "owner");
  if (state === "suspended") return errorResponse(409, "suspended", messages.suspended);
  return { status: 200, body: { state } };
}
