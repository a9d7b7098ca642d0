/** The colours of the shopper's pages. Each pair of text and background has a contrast of 4.5 or more. */
export const lightColours =
  ":root{color-scheme:light;--back:#eef2f0;--card:#fff;--text:#15211c;--soft:#52605a;--line:#dde5e1;--main:#0a6b4e;--on-main:#fff;--good:#dcf3e8;--on-good:#0a6b4e;--care:#fdf0d3;--on-care:#744800;--calm:#e6ecf5;--on-calm:#2f4263}";

/** Light and dark, for the pages of operators and owners. Each pair of text and background has a contrast of 4.5 or more. */
export const colours = `
${lightColours}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--back:#0e1412;--card:#17201c;--text:#eef4f1;--soft:#aebbb5;--line:#2c3833;--main:#5fd6aa;--on-main:#06231a;--good:#12372b;--on-good:#7fe3be;--care:#3b2d0d;--on-care:#ffd58a;--calm:#202c3f;--on-calm:#b9cdf0}}
`.trim();
