import type { Clock, Environment } from "@tillkit/core";
import type { CheckoutServer } from "@tillkit/server";
import type { Request, Response } from "express";
import type { FormTokens } from "../form-tokens.ts";
import { asText } from "../html.ts";
import { layout, type Page } from "../pages/layout.ts";
import { type Problem, problemPage } from "../pages/problem-page.ts";
import type { ShopDatabase } from "../shop-database.ts";
import { type Cookies, readVisit, readVisitor, type Visit } from "../visit.ts";

/** The dependencies of the shop's routes. */
export type RouteContext = {
  readonly shop: ShopDatabase;
  readonly checkout: CheckoutServer;
  readonly tokens: FormTokens;
  readonly cookies: Cookies;
  readonly environment: Environment;
  readonly clock: Clock;
};

export function visitOf(context: RouteContext, request: Request, response: Response): Visit {
  return readVisit(request, response, context.tokens, context.cookies);
}

export function showPage(response: Response, visit: Visit, page: Page, status = 200): void {
  response
    .status(status)
    .type("html")
    .send(asText(layout(visit, page)));
}

export function showProblem(response: Response, visit: Visit, problem: Problem): void {
  const status = { notFound: 404, formExpired: 403, badRequest: 400, broken: 500 }[problem];
  showPage(response, visit, problemPage(visit, problem), status);
}

/** Reads one text field of a form. Any other value counts as empty. */
export function readField(request: Request, name: string): string {
  const body: unknown = request.body;
  if (typeof body !== "object" || body === null) return "";
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : "";
}

/** Whether the form was made for this visitor. */
export function isOwnForm(context: RouteContext, request: Request): boolean {
  return context.tokens.check(readVisitor(request), readField(request, "token"));
}
