import { expect, it } from "vitest";
import { asText, html } from "../src/html.ts";

it("shows what a shopper typed and never runs it", () => {
  const typed = `<script>alert("1")</script> & 'more'`;
  const shown = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;";
  expect(asText(html`<p title="${typed}">${typed}</p>`)).toBe(`<p title="${shown}">${shown}</p>`);
});

it("escapes what a shopper typed once, however deep it stands in the page", () => {
  const items = ["a < b", "c & d"].map((text) => html`<li>${text}</li>`);
  expect(asText(html`<ul>${items}</ul>`)).toBe("<ul><li>a &lt; b</li><li>c &amp; d</li></ul>");
});

it("does not take data that looks like markup for markup", () => {
  const forged = JSON.parse('{"html":"<b>","TRUSTED":"<b>"}') as never;
  expect(() => asText(html`<p>${forged}</p>`)).toThrow();
});

it("leaves nothing behind where a page has nothing to say", () => {
  expect(asText(html`<p>${null}${false}${[]}</p>`)).toBe("<p></p>");
});
