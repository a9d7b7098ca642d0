import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Clock, Log } from "@tillkit/core";
import { createWebhookHandler, type ProcessRole, servesRequests } from "@tillkit/runtime";
import { endpointIdIn } from "../http/front-listener.ts";
import type { LedgerServer } from "./ledger-server.ts";
import { findServersOfEndpoint, receiveInAll } from "./receive-in-all.ts";

export type LedgerListenerParts = {
  readonly servers: readonly LedgerServer[];
  /** The path of the common address. */
  readonly basePath: string;
  readonly role: ProcessRole | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** Gives each request to the server of its ledger, on bare node:http, and a webhook to every server that knows its endpoint. */
export function createLedgerListener({ servers, basePath, role, clock, log }: LedgerListenerParts) {
  const handleShared = createWebhookHandler({
    receive: async (delivery) => {
      const checkouts = servers.map(({ checkout }) => checkout);
      return await receiveInAll(await findServersOfEndpoint(checkouts, delivery.endpointId), delivery);
    },
    // Each server wakes its own timer.
    onAccepted: () => undefined,
    bodyParserAdvice:
      "give the Node server checkout.listener(app), or put app.use(checkout.router) or checkout.fetch before every body parser.",
    clock,
    log,
  });

  async function handleWebhook(request: IncomingMessage, response: ServerResponse, next: RequestListener, id: string) {
    const checkouts = servers.map(({ checkout }) => checkout);
    const known = await findServersOfEndpoint(checkouts, id);
    if (known.length > 1) return await handleShared(request, response, id);
    // The first server refuses the webhook of an endpoint that no server knows.
    const server = known[0] ?? checkouts[0];
    server?.listener(next)(request, response);
  }

  return function ledgerListener(next: RequestListener): RequestListener {
    const listeners = servers.map(({ path, checkout }) => ({ path, listen: checkout.listener(next) }));
    // The first ledger's path is empty and begins every URL, so it comes last in this search.
    const findListener = (url: string) =>
      listeners.findLast(({ path }) => url.startsWith(`${basePath}${path}/`) || url.startsWith(`${path}/`));
    return function handleFirst(request, response) {
      const url = request.url ?? "";
      const endpointId = servesRequests(role ?? "both") ? endpointIdIn(url, basePath) : null;
      if (endpointId !== null) return void handleWebhook(request, response, next, endpointId);
      (findListener(url) ?? listeners[0])?.listen(request, response);
    };
  };
}
