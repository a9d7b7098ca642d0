import { codeOf, type Language } from "@tillkit/core";
import type { RequestHandler } from "express";
import { type Purpose, readCall } from "../protocol/signed-call.ts";
import { readJson } from "../transport/read-json.ts";
import type { CompanionStore, Desk } from "./desk.ts";
import { type CallWords, callWords } from "./words.ts";

/** A call of the plugin that is known to come from the shop. */
export type Call = {
  readonly desk: Desk;
  readonly store: CompanionStore;
  readonly body: object;
  readonly language: Language;
  readonly words: CallWords;
};

export type CallAnswer = { readonly status: number; readonly body: object };

/** One sentence for a person, in WordPress's form of an error. */
export function refuseCall(
  status: number,
  code: string,
  message: string,
  more: Readonly<Record<string, number>> = {},
): CallAnswer {
  return { status, body: { code: `tillkit_${code}`, message, data: { status, ...more } } };
}

export function badRequest({ words }: Call): CallAnswer {
  return refuseCall(400, "bad_request", words.badRequest);
}

/** Takes a signed call: raw bytes, signature, clock, JSON, in this order. */
export function takeCall(desk: Desk, purpose: Purpose, answer: (call: Call) => Promise<CallAnswer>): RequestHandler {
  async function read(headers: Readonly<Record<string, unknown>>, bytes: unknown): Promise<CallAnswer> {
    const header = (name: string) => String(headers[name] ?? "");
    const [store, time] = [header("x-tillkit-store"), header("x-tillkit-time")];
    const known = desk.stores.get(store);
    const body = bytes instanceof Uint8Array ? bytes : new Uint8Array();
    const words = callWords(known?.config.language ?? "en");
    const signed = { purpose, store, time, body };
    const now = desk.clock.now();
    const reading = known && readCall(signed, header("x-tillkit-signature"), known.secrets, now);
    if (known === undefined || reading === "signature_invalid") {
      return refuseCall(401, "signature_invalid", words.signatureInvalid);
    }
    if (reading === "clock_differs") {
      const seconds = Math.floor(now / 1_000);
      const minutes = Math.round(Math.abs(seconds - Number(time)) / 60);
      return refuseCall(401, "clock_differs", words.clockDiffers(minutes), { now: seconds });
    }
    const read = readJson(Buffer.from(body).toString("utf8"));
    const language = languageOf(read) ?? known.config.language;
    const call = { desk, store: known, body: read ?? {}, language, words: callWords(language) };
    return read === null || Array.isArray(read) ? badRequest(call) : await answer(call);
  }

  return async function callTaken(request, response) {
    const given = await read(request.headers, request.body).catch((error: unknown) => {
      desk.log.error("woo.call_failed", { purpose, code: codeOf(error) });
      return refuseCall(503, "unavailable", callWords("en").unavailable);
    });
    response.status(given.status).set({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    response.json(given.body);
  };
}

function languageOf(body: object | null): Language | null {
  if (body === null || !("language" in body)) return null;
  return body.language === "fr" || body.language === "en" ? body.language : null;
}
