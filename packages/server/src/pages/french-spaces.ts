import { type Html, render, verbatim } from "./html.ts";

/**
 * French puts a space inside « » and before : ; ! ? …, and the line must not break there. Attributes stay as they are: the pattern
 * matches text between tags only.
 */
export function withFrenchSpaces(body: Html): Html {
  const addSpaces = (text: string) => text.replace(/ (?=[:;!?»…])/g, "\u00a0").replaceAll("« ", "«\u00a0");
  return verbatim(render(body).replace(/>[^<]+</g, addSpaces));
}
