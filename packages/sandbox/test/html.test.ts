import { describe, expect, it } from "vitest";
import { html, render, verbatim } from "../src/pages/html.ts";

describe("the template", () => {
  it("the template escapes every value in text and attributes", () => {
    const evil = `<script>alert("1")</script> & 'x'`;
    const page = render(html`<p title="${evil}">${evil}</p>`);
    expect(page).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
    );
  });

  it("the template leaves nested templates as they are, because their values are escaped already", () => {
    expect(render(html`<ul>${["a", "<b>"].map((item) => html`<li>${item}</li>`)}</ul>`)).toBe(
      "<ul><li>a</li><li>&lt;b&gt;</li></ul>",
    );
  });

  it("the template prints nothing for missing values and 0 for zero", () => {
    expect(render(html`[${null}${undefined}${false}${0}${""}]`)).toBe("[0]");
  });

  it("the template refuses a parsed object that imitates HTML", () => {
    // Html is an object whose key is Symbol("markup"); JSON can hold only the text "Symbol(markup)".
    const forged = JSON.parse('{"html":"<b>","Symbol(markup)":"<b>"}');
    expect(() => render(html`${forged}`)).toThrow();
  });

  it("the template does not escape verbatim text", () => {
    expect(render(html`<style>${verbatim("a>b{}")}</style>`)).toBe("<style>a>b{}</style>");
  });
});
