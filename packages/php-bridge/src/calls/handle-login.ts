import { z } from "zod";
import { badRequest, type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

const inputSchema = z.object({
  /** The number of the person in the shop. */
  user: z.string().regex(/^\d{1,20}$/),
  role: z.enum(["owner", "viewer"]),
  /** A call that somebody repeats must not open the pages again. */
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
});

/** Answers `login`: a link with which the person at the shop opens the pages of this shop, once and within a minute. */
export async function handleLogin(call: PluginCall): Promise<CallResponse> {
  const { context, store, messages } = call;
  const input = inputSchema.safeParse(call.body);
  if (!input.success) return badRequest(call);
  const { ownerLoginLink } = context.checkout;
  // A server that lists its shops belongs to one merchant, whose people have tokens.
  if (context.selfService === null || ownerLoginLink === null)
    return errorResponse(404, "no_owner_pages", messages.noOwnerPages);
  const { nonce, ...person } = input.data;
  const url = await ownerLoginLink({ storeId: store.config.id, ...person }, nonce);
  return url === null ? errorResponse(409, "link_used", messages.linkUsed) : { status: 200, body: { url } };
}
