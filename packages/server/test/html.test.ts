import { describe, expect, test } from "vitest";
import { html, render, verbatim } from "../src/pages/html.ts";

describe("the page template", () => {
  test("the template escapes text of shops and shoppers", () => {
    const order = `<script>alert("1")</script> & 'more'`;
    expect(render(html`<p title="${order}">${order}</p>`)).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;</p>',
    );
  });

  test("the template leaves nested templates as they are, because their values are escaped already", () => {
    const lines = ["a & b", "c"].map((line) => html`<li>${line}</li>`);
    expect(render(html`<ul>${lines}</ul>`)).toBe("<ul><li>a &amp; b</li><li>c</li></ul>");
  });

  test("the template renders nothing for null, undefined and false, and 0 for zero", () => {
    expect(render(html`<b>${null}${undefined}${false}${0}</b>`)).toBe("<b>0</b>");
  });

  test("the template refuses a parsed object that imitates HTML", () => {
    const forged = JSON.parse('{"markup":"<img>","Symbol(markup)":"<img>"}');
    expect(() => render(html`<b>${forged}</b>`)).toThrow();
  });

  test("verbatim markup is not escaped", () => {
    expect(render(html`<style>${verbatim("a>b{}")}</style>`)).toBe("<style>a>b{}</style>");
  });
});
