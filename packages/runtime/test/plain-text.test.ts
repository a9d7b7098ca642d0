import { expect, it } from "vitest";
import { plainText } from "../src/index.ts";

it.each([
  ["Bread &amp; butter &#8211; 500&nbsp;g", "Bread & butter – 500\u00a0g"],
  ["Th&eacute; vert <em>bio</em> &laquo;&#x2009;1&nbsp;kg&#x2009;&raquo;", "Thé vert bio «\u20091\u00a0kg\u2009»"],
  ["Shirt<br/>Large", "Shirt Large"],
  ['<span class="x">Red</span> &#038; blue', "Red & blue"],
  ["Robe l&rsquo;&Eacute;t&eacute;", "Robe l’Été"],
  ["5 < 6 and a<b", "5 < 6 and a<b"],
  ["Show &lt;b&gt;", "Show <b>"],
  ["R&D &unknown; &#0; &#xD800; &#9999999;", "R&D &unknown; &#0; &#xD800; &#9999999;"],
  ["<!-- imported -->Hat", "Hat"],
  ['2 × "café" & <thé>', '2 × "café" & <thé>'],
  [null, ""],
])("the product name %j is shown as a shopper reads it", (stored, shown) => {
  expect(plainText(stored)).toBe(shown);
});

it("a hostile name of a megabyte is read in linear time", () => {
  for (const part of ["<a", "&#", "<!--", "&a", "<br "]) expect(plainText(part.repeat(200_000))).not.toBe("");
});
