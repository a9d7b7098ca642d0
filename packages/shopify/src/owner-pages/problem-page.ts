import { html, sendOwnerPage } from "@tillkit/server";
import type { Request, Response } from "express";
import type { ProblemCode } from "../texts/owner-texts.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { languageOf, otherLanguageUrl } from "./request-language.ts";

/** Explains a problem to the owner. The page repeats nothing of the request. */
export function sendProblemPage(request: Request, response: Response, code: ProblemCode, status: number): void {
  const language = languageOf(request);
  const { title, text } = ownerTextsOf(language).problems[code];
  const body = html`<p>${text}</p>`;
  sendOwnerPage(response, { status, title, body, language, otherLanguageUrl: otherLanguageUrl(request, language) });
}
