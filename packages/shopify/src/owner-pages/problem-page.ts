import { html } from "@tillkit/server";
import type { Request, Response } from "express";
import type { ProblemCode } from "../texts/owner-texts.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { sendAdminPage } from "./admin-page.ts";
import { languageOf, otherLanguageUrl } from "./request-language.ts";

/** Explains a problem to the owner. The page repeats nothing of the request. */
export function sendProblemPage(request: Request, response: Response, code: ProblemCode, status: number): void {
  const language = languageOf(request);
  const { title, text } = ownerTextsOf(language).problems[code];
  const body = html`<s-section class="polaris"><p>${text}</p></s-section>`;
  sendAdminPage(response, { status, title, body, language, otherLanguageUrl: otherLanguageUrl(request, language) });
}
