import { html } from "../html.ts";
import type { Visit } from "../visit.ts";
import type { Page } from "./layout.ts";

export type Problem = "notFound" | "formExpired" | "badRequest" | "broken";

export function problemPage({ words }: Visit, problem: Problem): Page {
  return {
    title: words[problem],
    body: html`<h1>${words[problem]}</h1><p>${words[`${problem}Text`]}</p>
      <p><a class="button" href="/">${words.toShop}</a></p>`,
  };
}
