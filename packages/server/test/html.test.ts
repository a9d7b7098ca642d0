import { describe, expect, test } from "vitest";
import { html, htmlText, trusted } from "../src/pages/html.ts";

describe("the page template", () => {
  test("the template escapes text of shops and shoppers", () => {
    const order = `<script>alert("1")</script> & 'more'`;
    expect(htmlText(html`<p title="${order}">${order}</p>`)).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;</p>',
    );
  });

  test("a template inside a template is not escaped twice", () => {
    const lines = ["a & b", "c"].map((line) => html`<li>${line}</li>`);
    expect(htmlText(html`<ul>${lines}</ul>`)).toBe("<ul><li>a &amp; b</li><li>c</li></ul>");
  });

  test("the template renders nothing for null, undefined and false, and 0 for zero", () => {
    expect(htmlText(html`<b>${null}${undefined}${false}${0}</b>`)).toBe("<b>0</b>");
  });

  test("an object that only looks like a template is refused", () => {
    const forged = JSON.parse('{"html":"<img>","text":"<img>"}');
    expect(() => htmlText(html`<b>${forged}</b>`)).toThrow();
  });

  test("trusted text is not escaped", () => {
    expect(htmlText(html`<style>${trusted("a>b{}")}</style>`)).toBe("<style>a>b{}</style>");
  });
});
