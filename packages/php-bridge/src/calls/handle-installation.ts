import { z } from "zod";
import { actorText } from "./call-fields.ts";
import { siteSchema } from "./call-site.ts";
import { badRequest, type CallResponse, type PluginCall } from "./receive-call.ts";

const inputSchema = siteSchema.extend({ answer: z.enum(["moved", "copy"]), by: actorText });

/** Answers `installation`: the owner says that the shop moved to the address of the call, or that it is a copy of the shop. */
export async function handleInstallation(call: PluginCall): Promise<CallResponse> {
  const { context, store } = call;
  const input = inputSchema.safeParse(call.body);
  if (!input.success) return badRequest(call);
  const { site, answer, by } = input.data;
  const act = { at: context.clock.now(), by, act: `installation_${answer}`, paymentId: null, detail: store.config.id };
  await context.ledger.recordAct(act);
  await context.engine.installations.answer(store.config.id, site, answer);
  return { status: 200, body: { answer } };
}
