import { describe, expect, it } from "vitest";
import { html, render, verbatim } from "../src/pages/html.ts";

describe("the template", () => {
  it("escapes every value, in text and in attributes", () => {
    const evil = `<script>alert("1")</script> & 'x'`;
    const page = render(html`<p title="${evil}">${evil}</p>`);
    expect(page).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
    );
  });

  it("keeps pieces of itself, and lists of them, as they are", () => {
    expect(render(html`<ul>${["a", "<b>"].map((item) => html`<li>${item}</li>`)}</ul>`)).toBe(
      "<ul><li>a</li><li>&lt;b&gt;</li></ul>",
    );
  });

  it("prints nothing for what is not there, and 0 for zero", () => {
    expect(render(html`[${null}${undefined}${false}${0}${""}]`)).toBe("[0]");
  });

  it("takes no object from outside for a piece of itself", () => {
    const forged = JSON.parse('{"html":"<b>","Symbol(markup)":"<b>"}');
    expect(() => render(html`${forged}`)).toThrow();
  });

  it("leaves alone only what our own code calls verbatim", () => {
    expect(render(html`<style>${verbatim("a>b{}")}</style>`)).toBe("<style>a>b{}</style>");
  });
});
