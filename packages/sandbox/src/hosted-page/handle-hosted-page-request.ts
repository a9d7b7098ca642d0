import { randomBytes } from "node:crypto";
import { ApiError, notFound } from "../domain/api-error.ts";
import type { HttpResponse } from "../http/http-response.ts";
import { readBranding } from "../network/branding.ts";
import { readOrganization } from "../organizations/organizations.ts";
import { pickLanguage } from "../pages/language.ts";
import { createBrand } from "../pages/page-brand.ts";
import type { PageRequest } from "../pages/page-request.ts";
import { readSessionByCode } from "../payments/pay-session.ts";
import { readSessionDetails } from "../payments/session-details.ts";
import type { Service } from "../runtime/service.ts";
import type { SessionRow } from "../storage/payment-tables.ts";
import { handleChallengeAnswer, showChallenge } from "./challenge.ts";
import { handlePay, showCheckout } from "./checkout.ts";
import { errorPage } from "./ended-pages.ts";
import type { SessionPageCall } from "./page-request.ts";
import { createView } from "./session-view.ts";
import { english } from "./texts/english.ts";
import { french } from "./texts/french.ts";
import { showStatus, showWaiting } from "./waiting.ts";

const textsByLanguage = { fr: french, en: english };

/** The pages and forms below a session, by method and the name after its code in the path. */
const pages: Record<string, (call: SessionPageCall) => Promise<HttpResponse>> = {
  "GET ": showCheckout,
  "POST ": handlePay,
  "GET waiting": showWaiting,
  "GET state": showStatus,
  "GET challenge": showChallenge,
  "POST challenge": handleChallengeAnswer,
};

/** Handles every request below the hosted page. Never throws: every error becomes a page. */
export async function handleHostedPageRequest(service: Service, request: PageRequest): Promise<HttpResponse> {
  const nonce = randomBytes(16).toString("base64url");
  const chosenLanguage = request.query.get("lang");
  const textsFor = (language: string | null) =>
    textsByLanguage[pickLanguage(language, request.headers["accept-language"])];
  try {
    await service.paymentScheduler.runDue();
    const [, code = "", name = "", transactionId = "", ...rest] = request.path.split("/");
    const page = pages[`${request.method === "HEAD" ? "GET" : request.method} ${name}`];
    if (page === undefined || rest.length > 0) throw notFound("Page");
    const session = await readSessionByCode(service.store, code);
    const organization = await readOrganization(service.store.database, session.organization_id);
    const texts = textsFor(chosenLanguage ?? languageOf(session));
    const brand = createBrand(organization, await readBranding(service.store.database, organization));
    const path = new URL(service.addresses.checkoutBaseUrl).pathname;
    const exponents = service.settings.amountExponents;
    const view = createView({ texts, chosenLanguage, brand, session, path, exponents, nonce });
    return await page({ service, view, request, transactionId });
  } catch (error) {
    const isNotFound = error instanceof ApiError && error.code === "not_found";
    if (!isNotFound && error instanceof Error) process.emitWarning(error);
    return errorPage(textsFor(chosenLanguage), nonce, isNotFound ? 404 : 500);
  }
}

// The shop knows the shopper's language better than the browser. No field of a session names a language, so shops use metadata.
function languageOf(session: SessionRow): string | null {
  const { language } = readSessionDetails(session).metadata;
  return typeof language === "string" ? language : null;
}
