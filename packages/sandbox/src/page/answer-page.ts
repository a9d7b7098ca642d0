import { randomBytes } from "node:crypto";
import type { Answer } from "../api/answer.ts";
import { brandingOf } from "../network/branding.ts";
import { readOrganization } from "../payments/organizations.ts";
import { sessionByCode } from "../payments/pay.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Service } from "../service/service.ts";
import { answerBank, showChallenge } from "./challenge.ts";
import { pay, showCheckout } from "./checkout.ts";
import { lostPage } from "./ended-pages.ts";
import { pickLanguage } from "./language.ts";
import { shopOf } from "./shop.ts";
import { createView } from "./view.ts";
import type { PageRequest, Visit } from "./visit.ts";
import { showState, showWaiting } from "./waiting.ts";
import { english } from "./words-english.ts";
import { french } from "./words-french.ts";

const wordsOf = { fr: french, en: english };

const pages: Record<string, (visit: Visit) => Promise<Answer>> = {
  "GET ": showCheckout,
  "POST ": pay,
  "GET waiting": showWaiting,
  "GET state": showState,
  "GET challenge": showChallenge,
  "POST challenge": answerBank,
};

/** Answers everything under the address of the hosted page. Never throws: what goes wrong becomes a page. */
export async function answerPage(service: Service, request: PageRequest): Promise<Answer> {
  const nonce = randomBytes(16).toString("base64url");
  const chosen = request.query.get("lang");
  const words = wordsOf[pickLanguage(chosen, request.headers["accept-language"])];
  try {
    await service.timetable.catchUp();
    const [, code = "", name = "", transactionId = "", ...rest] = request.path.split("/");
    const page = pages[`${request.method === "HEAD" ? "GET" : request.method} ${name}`];
    if (page === undefined || rest.length > 0) throw notFound("Page");
    const session = await sessionByCode(service.store, code);
    const organization = await readOrganization(service.store.rows, session.organization_id);
    const shop = shopOf(organization, await brandingOf(service.store.rows, organization));
    const path = new URL(service.addresses.checkoutBaseUrl).pathname;
    const exponents = service.settings.amountExponents;
    const view = createView({ words, chosen, shop, session, path, exponents, nonce });
    return await page({ service, view, request, transactionId });
  } catch (error) {
    const lost = error instanceof Refusal && error.code === "not_found";
    if (!lost && error instanceof Error) process.emitWarning(error);
    return lostPage(words, nonce, lost ? 404 : 500);
  }
}
