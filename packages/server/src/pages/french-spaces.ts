import { type Html, htmlText, trusted } from "./html.ts";

/** French puts a space inside « » and before : ; ! ?, and the line must not break there. Attributes stay as they are. */
export function withFrenchSpaces(body: Html): Html {
  const addSpaces = (text: string) => text.replace(/ (?=[:;!?»])/g, "\u00a0").replaceAll("« ", "«\u00a0");
  return trusted(htmlText(body).replace(/>[^<]+</g, addSpaces));
}
