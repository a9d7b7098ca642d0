import { createNodeTransport, type SendBy, type Transport } from "@tillkit/client";
import { type Clock, StoreError } from "@tillkit/core";
import { bridgeLimits } from "../limits.ts";
import { SIGNATURE_INVALID } from "../names.ts";
import { type PluginPurpose, signCall } from "../signed-call.ts";
import { startDeadline } from "./deadline.ts";
import { errorCodeOf, readJson } from "./read-json.ts";
import { sendRequest } from "./send-request.ts";
import { type CallKind, connectionError, responseError } from "./store-errors.ts";

/** Where plugins of a platform answer. */
export type PluginPlace = {
  /** The address of a call in the shop, below the shop's own: `tillkit/v1/ping`, for instance. */
  pathOf(purpose: PluginPurpose | "pair"): string;
  /** What firewalls and caches must leave alone, in a sentence for people. */
  readonly name: string;
  /** The error code with which the platform answers a call that no plugin knows; null where it answers with a page. */
  readonly noRoute: string | null;
};

export type PluginRoutesOptions = {
  /** The shop's address, without a slash at the end. */
  readonly url: string;
  readonly place: PluginPlace;
  readonly storeId: string;
  readonly linkSecret: string;
  /** The secret that the plugin may still use during a change of the link secret. */
  readonly previousLinkSecret?: string | undefined;
  readonly clock: Clock;
  readonly transport?: Transport | undefined;
};

/** `unreachable`: the plugin is inactive, has another secret, or is behind a firewall. Nothing was changed. */
export type PluginReply =
  | { readonly kind: "answered"; readonly status: number; readonly code: string | null; readonly body: object }
  | {
      readonly kind: "unreachable";
      readonly status: number;
      readonly code: string | null;
      /** What the owner can do. */
      readonly message: string;
    };

/** The routes of the gateway plugin. They throw the same StoreErrors as the REST transport. */
export type PluginRoutes = {
  call(purpose: PluginPurpose, body: object): Promise<PluginReply>;
  readonly place: PluginPlace;
  /** The same routes, which send nothing after this moment. */
  withSendBy(sendBy: SendBy): PluginRoutes;
};

type PluginMessage = {
  readonly purpose: PluginPurpose;
  readonly text: string;
  readonly sendBy: SendBy | undefined;
};

export function createPluginRoutes(options: PluginRoutesOptions): PluginRoutes {
  const { url, place, storeId, linkSecret, previousLinkSecret, clock } = options;
  // No keep-alive: a write on a connection that the shop has just closed would look like a lost answer.
  const transport =
    options.transport ?? createNodeTransport({ keepAlive: false, maxConnections: Number.POSITIVE_INFINITY });
  // A shop with a wrong clock answers with its own time. Later calls are signed with that time.
  let clockOffsetSeconds = 0;

  async function send({ purpose, text, sendBy }: PluginMessage, secret: string): Promise<PluginReply> {
    const time = String(Math.floor(clock.now() / 1_000) + clockOffsetSeconds);
    const headers = signCall({ purpose, store: storeId, time, body: Buffer.from(text) }, secret);
    const kind = kindOf(purpose);
    const { signal, cancel } = startDeadline(clock, bridgeLimits.callMs, sendBy);
    try {
      const response = await sendRequest(transport, {
        method: "POST",
        url: `${url}/${place.pathOf(purpose)}`,
        headers: { ...headers, "content-type": "application/json", accept: "application/json" },
        body: text,
        maxBytes: bridgeLimits.responseBytes,
        signal,
        sendBy,
      });
      const body = readJson(response.text);
      const { status } = response;
      const code = status < 400 ? null : errorCodeOf(body ?? {});
      if (UNREACHABLE_STATUSES.includes(status) && code !== CLOCK_DIFFERS)
        return { kind: "unreachable", status, code, message: unreachableMessage(place, code) };
      const failure = responseError(status, body, kind);
      if (failure) throw failure;
      return { kind: "answered", status, code, body: body ?? {} };
    } catch (caught) {
      throw caught instanceof StoreError ? caught : connectionError(caught, kind);
    } finally {
      cancel();
    }
  }

  async function sendInShopTime(message: PluginMessage, secret: string): Promise<PluginReply> {
    const reply = await send(message, secret);
    const shopTime = reply.kind === "answered" && reply.code === CLOCK_DIFFERS ? shopTimeIn(reply.body) : null;
    if (shopTime === null) return reply;
    clockOffsetSeconds = shopTime - Math.floor(clock.now() / 1_000);
    return await send(message, secret);
  }

  function routesWith(sendBy?: SendBy): PluginRoutes {
    return {
      async call(purpose, body) {
        const message = { purpose, text: JSON.stringify(body), sendBy };
        const reply = await sendInShopTime(message, linkSecret);
        if (previousLinkSecret === undefined || reply.code !== SIGNATURE_INVALID) return reply;
        return await sendInShopTime(message, previousLinkSecret);
      },
      place,
      withSendBy: routesWith,
    };
  }

  return routesWith();
}

/** What to do when the plugin cannot be reached. `code`: the shop's error code, null without one. */
function unreachableMessage({ name, noRoute }: PluginPlace, code: string | null): string {
  if (code === SIGNATURE_INVALID) {
    return "The plugin rejects our signature: give the checkout server and the plugin the same store id and link secret.";
  }
  if (code !== null && code === noRoute)
    return "The shop lacks a Tillkit route: activate the plugin Tillkit Checkout, or update it.";
  return `Something in front of the plugin blocks the checkout server: let ${name} through the firewall or security plugin.`;
}

/** A call that changes nothing may be repeated, whatever became of it. */
function kindOf(purpose: PluginPurpose): CallKind {
  return purpose === "read-order" || purpose === "list-orders" ? "read" : "write";
}

const UNREACHABLE_STATUSES: readonly number[] = [401, 403, 404];
const CLOCK_DIFFERS = "tillkit_clock_differs";

function shopTimeIn(body: object): number | null {
  const { data } = body as { readonly data?: { readonly now?: unknown } };
  return typeof data?.now === "number" && Number.isSafeInteger(data.now) ? data.now : null;
}
