import type { Environment } from "@tillkit/core";
import type { Request, RequestHandler, Response } from "express";
import type { PagesLedger } from "./pages-ledger.ts";

/** The modes in the order of the switch. The first part of a page's address names its mode: `/operators/test/payments`. */
export const MODES: readonly Environment[] = ["live", "test"];

type Locals = { mode?: Environment };

/** Takes the mode off the address, so that each page has one path. */
export function readModePrefix(): RequestHandler {
  return function readMode(request, response: Response<unknown, Locals>, next) {
    const [prefix, mode] = /^\/(live|test)(?=[/?]|$)/.exec(request.url) ?? [];
    if (prefix !== undefined) {
      const rest = request.url.slice(prefix.length);
      request.url = rest.startsWith("/") ? rest : `/${rest}`;
      response.locals.mode = mode === "test" ? "test" : "live";
    }
    next();
  };
}

/** The mode that the address names; null for an address without a mode, such as one of a mail. */
export function namedMode(response: Response<unknown, Locals>): Environment | null {
  return response.locals.mode ?? null;
}

/**
 * The mode of a page: that of its payment, else the mode that the address names, else live. A server that has only test payments so far
 * shows these.
 */
export async function modeOf(request: Request, ledger: PagesLedger, named: Environment | null): Promise<Environment> {
  const route: unknown = request.route?.path;
  const isOfPayment = typeof route === "string" && route.startsWith("/payments/:id");
  const payment = isOfPayment ? await ledger.find({ id: String(request.params.id) }) : null;
  if (payment) return payment.environment;
  if (named !== null) return named;
  const [live, test] = await Promise.all(MODES.map((environment) => ledger.listPayments({ environment, limit: 1 })));
  return live?.rows.length === 0 && test?.rows.length === 1 ? "test" : "live";
}
