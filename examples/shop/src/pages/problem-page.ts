import { html } from "../html.ts";
import type { Visit } from "../visit.ts";
import type { Page } from "./layout.ts";

export type Problem = "notFound" | "formExpired" | "badRequest" | "broken";

export function problemPage({ messages }: Visit, problem: Problem): Page {
  return {
    title: messages[problem],
    body: html`<h1>${messages[problem]}</h1><p>${messages[`${problem}Text`]}</p>
      <p><a class="button" href="/">${messages.toShop}</a></p>`,
  };
}
