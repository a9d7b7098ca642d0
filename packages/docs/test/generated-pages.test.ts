import { endpoints } from "@tillkit/client/endpoints";
import { beforeAll, describe, expect, it } from "vitest";
import { changelogPage } from "../src/changelog.ts";
import { generatedPages } from "../src/generated-pages.ts";
import { withSiteLinks } from "../src/site-links.ts";

let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  pages = await generatedPages();
});

describe("pages that are made from the repository's files", () => {
  it("the reference of the service's API has every call that the service documents", () => {
    const page = pages.get("service-api/operations.md") ?? "";
    const documented = Object.entries(endpoints).filter(([, { isDocumented }]) => isDocumented);
    expect(documented.length).toBeGreaterThan(30);
    for (const [id, { method, path }] of documented) {
      expect(page).toContain(`### ${method} ${path} {#${id.toLowerCase()}}`);
    }
  });

  it("the schemas say which fields are required and how long they may be", () => {
    const page = pages.get("service-api/schemas.md") ?? "";
    const [, request = ""] = /^## CheckoutSessionRequest\n([\s\S]*?)(?=^## )/m.exec(page) ?? [];
    expect(request).toContain("| `title` |  | string, at most 255 characters |");
    expect(request).toContain("| `line_items[].price_id` | yes | string |");
    expect(request).toContain("| `currency_code` |  | `XOF`, `USD`, `EUR` |");
    expect(request).toContain("It needs `amount`, or `line_items`, or `product_id`, or `price_id`.");
  });

  it("a code of the failure handbook has an anchor, and no anchor is used twice", () => {
    const page = pages.get("errors.md") ?? "";
    expect(page).toContain('| <a id="refund_in_doubt"></a>`refund_in_doubt` |');
    const anchors = [...page.matchAll(/<a id="([a-z_]+)">/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  it("a published package has a page, and a private package has none", () => {
    expect([...pages.keys()]).toEqual(expect.arrayContaining(["api/client/index.md", "api/create-tillkit/index.md"]));
    expect(pages.has("api/docs/index.md")).toBe(false);
  });
});

describe("a file of the repository as a page", () => {
  it("a link to a file with a page leads to the page, and a link to another file becomes its label", () => {
    const text = "[a](../server) [b](../../HANDBOOK.md#findings) [c](src/index.ts) [d](API.md#calls) [e](#install)";
    expect(withSiteLinks(text, "packages/client")).toBe(
      "[a](/api/server/) [b](/errors#findings) c [d](/service-api/#calls) [e](#install)",
    );
  });

  it("a picture's address leads to the folder of the file, and code is never changed", () => {
    expect(withSiteLinks("![Paying](pictures/pay.png)", "packages/core", "../../../../core")).toBe(
      "![Paying](../../../../core/pictures/pay.png)",
    );
    const code = "```ts\nconst [first](second) = third;\n```";
    expect(withSiteLinks(code, "packages/core")).toBe(code);
  });
});

describe("the changelog", () => {
  const notes = '---\n"@tillkit/core": minor\n---\n\n- Refunds are faster.\n';
  const released = (name: string, note: string) =>
    `# ${name}\n\n## 0.2.0\n\n### Minor Changes\n\n- 1a2b3c4: ${note}\n\n### Patch Changes\n\n- Updated dependencies [1a2b3c4]\n  - @tillkit/core@0.2.0\n`;

  it("what is not released yet comes first, without the names of packages in its front matter", () => {
    expect(changelogPage([notes], [])).toMatch(/## Not released yet\n\n- Refunds are faster\.\n/);
    expect(changelogPage([notes], [])).not.toContain("@tillkit/core");
  });

  it("a note that several packages have is written once, without the hash of its commit", () => {
    const page = changelogPage(
      [],
      [released("core", "Orders are paid once."), released("server", "Orders are paid once.")],
    );
    expect(page.match(/Orders are paid once\./g)).toHaveLength(1);
    expect(page).toContain("## 0.2.0\n\n- Orders are paid once.");
    expect(page).not.toContain("Updated dependencies");
  });
});
