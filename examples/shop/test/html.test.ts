import { expect, it } from "vitest";
import { asText, html } from "../src/html.ts";

it("the page shows a shopper's input and never runs it", () => {
  const typed = `<script>alert("1")</script> & 'more'`;
  const shown = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;";
  expect(asText(html`<p title="${typed}">${typed}</p>`)).toBe(`<p title="${shown}">${shown}</p>`);
});

it("the page escapes a shopper's input once at any depth", () => {
  const items = ["a < b", "c & d"].map((text) => html`<li>${text}</li>`);
  expect(asText(html`<ul>${items}</ul>`)).toBe("<ul><li>a &lt; b</li><li>c &amp; d</li></ul>");
});

it("data that looks like markup is refused", () => {
  const forged = JSON.parse('{"html":"<b>","TRUSTED":"<b>"}') as never;
  expect(() => asText(html`<p>${forged}</p>`)).toThrow();
});

it("an empty value renders nothing", () => {
  expect(asText(html`<p>${null}${false}${[]}</p>`)).toBe("<p></p>");
});
