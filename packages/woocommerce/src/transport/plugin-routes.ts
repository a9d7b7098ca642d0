import { type Clock, StoreError } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import { PLUGIN_ROUTES, SIGNATURE_INVALID } from "../protocol/names.ts";
import { signCall } from "../protocol/signed-call.ts";
import { openDeadline } from "./deadline.ts";
import { errorCodeOf, readJson } from "./read-json.ts";
import { notAnswered, notTheApi } from "./trouble.ts";

export type PluginRoutesOptions = {
  /** The shop's address, without a slash at the end. */
  readonly url: string;
  readonly storeId: string;
  readonly linkSecret: string;
  /** What the plugin signs and reads by while it has not heard of the new one. */
  readonly previousLinkSecret?: string | undefined;
  readonly clock: Clock;
};

/** `closed`: the plugin is not active, does not know our secret, or something in front of it keeps us out: nothing was done. */
export type PluginReply =
  | { readonly say: "answered"; readonly status: number; readonly code: string | null; readonly body: object }
  | { readonly say: "closed"; readonly status: number; readonly code: string | null };

/** The routes of our own gateway plugin. Throws StoreErrors as the REST transport does. */
export type PluginRoutes = {
  call(purpose: keyof typeof PLUGIN_ROUTES, body: object): Promise<PluginReply>;
  /** The same, sending nothing after that moment (milliseconds since 1970). */
  until(at: number): PluginRoutes;
};

type Message = {
  readonly purpose: keyof typeof PLUGIN_ROUTES;
  readonly text: string;
  readonly until: number | undefined;
};

export function createPluginRoutes(options: PluginRoutesOptions): PluginRoutes {
  const { url, storeId, linkSecret, previousLinkSecret, clock } = options;
  // A shop whose clock is wrong tells us its time, and from then on is talked to in it.
  let apartSeconds = 0;

  async function once({ purpose, text, until }: Message, secret: string): Promise<PluginReply> {
    const time = String(Math.floor(clock.now() / 1_000) + apartSeconds);
    const headers = signCall({ purpose, store: storeId, time, body: Buffer.from(text) }, secret);
    const deadline = openDeadline(clock, wooLimits.writeMs, until);
    try {
      const response = await fetch(`${url}/${PLUGIN_ROUTES[purpose]}`, {
        method: "POST",
        // A write on a connection that the shop has just closed would look like a lost answer.
        headers: { ...headers, "Content-Type": "application/json", Accept: "application/json", Connection: "close" },
        body: text,
        redirect: "manual",
        signal: deadline.late,
      });
      const body = readJson(await limitedText(response));
      const { status } = response;
      const code = status < 400 ? null : errorCodeOf(body ?? {});
      if (CLOSED.includes(status) && code !== CLOCK_DIFFERS) return { say: "closed", status, code };
      const trouble = notTheApi(status, body, "write");
      if (trouble) throw trouble;
      return { say: "answered", status, code, body: body ?? {} };
    } catch (caught) {
      throw caught instanceof StoreError ? caught : notAnswered(caught, "write");
    } finally {
      deadline.met();
    }
  }

  async function inShopTime(message: Message, secret: string): Promise<PluginReply> {
    const reply = await once(message, secret);
    const shopTime = reply.say === "answered" && reply.code === CLOCK_DIFFERS ? nowOf(reply.body) : null;
    if (shopTime === null) return reply;
    apartSeconds = shopTime - Math.floor(clock.now() / 1_000);
    return await once(message, secret);
  }

  function sending(until?: number): PluginRoutes {
    return {
      async call(purpose, body) {
        const message = { purpose, text: JSON.stringify(body), until };
        const reply = await inShopTime(message, linkSecret);
        if (previousLinkSecret === undefined || reply.code !== SIGNATURE_INVALID) return reply;
        return await inShopTime(message, previousLinkSecret);
      },
      until: sending,
    };
  }

  return sending();
}

const CLOSED: readonly number[] = [401, 403, 404];
const CLOCK_DIFFERS = "tillkit_clock_differs";

function nowOf(body: object): number | null {
  const { data } = body as { readonly data?: { readonly now?: unknown } };
  return typeof data?.now === "number" && Number.isSafeInteger(data.now) ? data.now : null;
}

async function limitedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > wooLimits.pluginAnswerBytes) throw new Error("The answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
