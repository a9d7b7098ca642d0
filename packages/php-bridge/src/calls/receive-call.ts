import { codeOf, type Language } from "@tillkit/core";
import type { RequestHandler } from "express";
import type { AppContext, ConnectedStore } from "../app-context.ts";
import { findSigner } from "../find-signer.ts";
import type { LinkSecrets } from "../signature.ts";
import { type Purpose, verifyCall } from "../signed-call.ts";
import { readJson } from "../transport/read-json.ts";
import { type CallMessages, callMessages } from "./call-messages.ts";
import { ORIGINAL_ONLY, originalOf, siteOf } from "./call-site.ts";

/** A verified call of the plugin. */
export type PluginCall = {
  readonly context: AppContext;
  readonly store: ConnectedStore;
  readonly body: object;
  readonly language: Language;
  readonly messages: CallMessages;
};

export type CallResponse = { readonly status: number; readonly body: object };

/** An error in the format of the protocol. `message`: one sentence for a person. */
export function errorResponse(
  status: number,
  code: string,
  message: string,
  extraData: Readonly<Record<string, number>> = {},
): CallResponse {
  return { status, body: { code: `tillkit_${code}`, message, data: { status, ...extraData } } };
}

export function badRequest({ messages }: PluginCall): CallResponse {
  return errorResponse(400, "bad_request", messages.badRequest);
}

/**
 * The Express handler of a signed call. It checks the raw bytes, the signature, the clock and the JSON, in this order. Before the signature
 * only the language of a refusal is read.
 */
export function createCallHandler(
  context: AppContext,
  purpose: Purpose,
  answer: (call: PluginCall) => Promise<CallResponse>,
): RequestHandler {
  async function respond(headers: Readonly<Record<string, unknown>>, bytes: unknown): Promise<CallResponse> {
    const header = (name: string) => String(headers[name] ?? "");
    const storeId = header("x-tillkit-store");
    const time = header("x-tillkit-time");
    const body = bytes instanceof Uint8Array ? bytes : new Uint8Array();
    const signedCall = { purpose, store: storeId, time, body };
    const now = context.clock.now();
    const verify = (secrets: LinkSecrets) => verifyCall(signedCall, header("x-tillkit-signature"), secrets, now);
    const store = await findSigner(context, storeId, (secrets) => verify(secrets) !== "signature_invalid");
    const verification = store && verify(store.linkSecrets);
    if (store === undefined || verification === "signature_invalid") return refuse(context, store, body);
    if (verification === "clock_differs") {
      const seconds = Math.floor(now / 1_000);
      const minutes = Math.round(Math.abs(seconds - Number(time)) / 60);
      const { clockDiffers } = callMessages(store.config.language);
      return errorResponse(401, "clock_differs", clockDiffers(minutes), { now: seconds });
    }
    // The plugin is there, so a shop that refused us may take payments again.
    await context.engine.storeBlocks.gaveSign(storeId);
    const parsed = readText(body);
    const language = requestedLanguage(parsed) ?? store.config.language;
    const call = { context, store, body: parsed ?? {}, language, messages: callMessages(language) };
    const isUnreadable = parsed === null || Array.isArray(parsed);
    return isUnreadable ? badRequest(call) : await answerOriginal(call, purpose, answer);
  }

  return async function handleCall(request, response) {
    const result = await respond(request.headers, request.body).catch((error: unknown) => {
      context.log.error("call_failed", { purpose, code: codeOf(error) });
      return errorResponse(503, "unavailable", callMessages("en").unavailable);
    });
    response.status(result.status).set({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    response.json(result.body);
  };
}

/** A shop that has left is unknown, so only the call says in which language its owner reads. */
function refuse({ selfService }: AppContext, store: ConnectedStore | undefined, body: Uint8Array): CallResponse {
  const language = requestedLanguage(readText(body)) ?? store?.config.language ?? "en";
  const { signatureInvalid, notConnected } = callMessages(language);
  // Owners who connect their shops themselves know no store id and no link secret.
  return errorResponse(401, "signature_invalid", selfService === null ? signatureInvalid : notConnected);
}

/** Answers a call of the shop itself, and only what a copy of it may ask, which learns that it looks like a copy. */
async function answerOriginal(
  call: PluginCall,
  purpose: Purpose,
  answer: (call: PluginCall) => Promise<CallResponse>,
): Promise<CallResponse> {
  const { context, store, body, messages } = call;
  const site = siteOf(body);
  if (site === null && ORIGINAL_ONLY.has(purpose)) return badRequest(call);
  const original = purpose === "installation" ? null : await originalOf(context, store, site);
  if (original === null) return await answer(call);
  const answered = ORIGINAL_ONLY.has(purpose)
    ? errorResponse(409, "looks_like_copy", messages.looksLikeCopy(original))
    : await answer(call);
  return { ...answered, body: { ...answered.body, copy_of: original } };
}

function readText(body: Uint8Array): object | null {
  return readJson(Buffer.from(body).toString("utf8"));
}

function requestedLanguage(body: object | null): Language | null {
  if (body === null || !("language" in body)) return null;
  return body.language === "fr" || body.language === "en" ? body.language : null;
}
