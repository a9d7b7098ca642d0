import type { RequestListener } from "node:http";
import type { OrderRef } from "@tillkit/core";
import { type RequestHandler, Router } from "express";
import { privateHeaders } from "../pages/page-headers.ts";
import { readOrderToken } from "../shopper/link-tokens.ts";
import type { LedgerServer } from "./ledger-server.ts";

export type LedgerRouterParts = {
  readonly servers: readonly LedgerServer[];
  readonly ledgerListener: (next: RequestListener) => RequestListener;
  readonly serverOfOrder: (ref: OrderRef) => Promise<LedgerServer>;
};

/** The routes of all ledgers' servers at one address. */
export function createLedgerRouter({ servers, ledgerListener, serverOfOrder }: LedgerRouterParts): Router {
  const router = Router();
  router.use((request, response, next) => ledgerListener(() => next())(request, response));
  for (const probe of ["/livez", "/healthz", "/readyz"] as const) router.get(probe, createProbe(servers, probe));
  // The first ledger's path is empty and would take the requests of the other ledgers.
  for (const server of servers.toReversed()) {
    router.get(`${server.path}/pay/:token`, redirectToOrder(server, serverOfOrder));
    router.use(server.path === "" ? "/" : server.path, server.checkout.router);
  }
  return router;
}

// A platform stores an order's pay link before anybody pays, so the order may begin in another ledger than the ledger of the link.
function redirectToOrder(own: LedgerServer, serverOfOrder: LedgerRouterParts["serverOfOrder"]): RequestHandler {
  return async function followOrder(request, response, next) {
    const order = request.method === "GET" ? readOrderToken(own.tokens, String(request.params.token)) : null;
    if (order === null) return next();
    // While a ledger is down, the server's own page says that the shopper should try again.
    const server = await serverOfOrder(order.ref).catch(() => own);
    if (server === own) return next();
    const { search } = new URL(request.originalUrl, "http://host");
    response.writeHead(303, { ...privateHeaders, Location: `${server.checkout.payLink(order)}${search}` }).end();
  };
}

/**
 * Responds with the facts of every ledger. `/healthz` and `/readyz` succeed while one ledger works, because the stores of that ledger
 * need this process. `/livez` fails when the timer of one ledger is stuck, so that the process is restarted.
 */
function createProbe(servers: readonly LedgerServer[], probe: "/livez" | "/healthz" | "/readyz"): RequestHandler {
  return async function sendProbes(_request, response) {
    const answers = await Promise.all(
      servers.map(({ checkout }) => checkout.fetch(new Request(`http://localhost${probe}`))),
    );
    const facts = await Promise.all(answers.map((answer) => answer.json()));
    const isOk = ({ ok }: Response) => ok;
    const ok = probe === "/livez" ? answers.every(isOk) : answers.some(isOk);
    response.writeHead(ok ? 200 : 503, {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
    });
    const ledgers = Object.fromEntries(servers.map(({ node }, index) => [node.name, facts[index]]));
    response.end(`${JSON.stringify({ ok, ledgers })}\n`);
  };
}
