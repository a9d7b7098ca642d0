import { html, pageLanguage, sendOwnerPage } from "@tillkit/server";
import type { Request, Response } from "express";
import { otherLanguageUrl } from "./other-language.ts";
import { ownerWords, type ProblemName } from "./words.ts";

/** Says in words what went wrong; nothing of the request is repeated. */
export function showProblem(request: Request, response: Response, name: ProblemName, status: number): void {
  const language = pageLanguage(request.query.lang, request.headers["accept-language"]);
  const { title, text } = ownerWords(language).problems[name];
  const body = html`<p>${text}</p>`;
  sendOwnerPage(response, { status, title, body, language, otherLanguageUrl: otherLanguageUrl(request, language) });
}
