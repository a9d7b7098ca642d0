import { describe, expect, it } from "vitest";
import { publishedReadme } from "../packaging/published-readme.ts";

const forge = "https://forge.example/shop/tillkit";
const publish = (text: string, url: string | null = forge) => publishedReadme(text, url, "packages/core");

describe("a README as npm shows it", () => {
  it("a link to a file beside the README leads to the repository", () => {
    expect(publish("See [`API.md`](API.md#calls).")).toBe(
      `See [\`API.md\`](${forge}/blob/HEAD/packages/core/API.md#calls).`,
    );
  });

  it("a link to another package leads to its folder in the repository", () => {
    expect(publish("[server](../server)")).toBe(`[server](${forge}/blob/HEAD/packages/server)`);
  });

  it("a picture is taken from the repository as a file", () => {
    expect(publish("![Paying](pictures/pay.png)")).toBe(`![Paying](${forge}/raw/HEAD/packages/core/pictures/pay.png)`);
  });

  it("links become plain text while the repository has no URL", () => {
    expect(publish("[`@tillkit/server`](../server), ![Paying](pay.png)", null)).toBe("`@tillkit/server`, Paying");
  });

  it("links to the web and within the page stay", () => {
    const text = "[web](https://kysely.dev), [limits](#limits)";
    expect(publish(text, null)).toBe(text);
  });

  it("code is never changed", () => {
    const text = "```ts\nconst [first](second) = third;\n```\n";
    expect(publish(text)).toBe(text);
  });

  it("what holds only before the first version on npm is left out", () => {
    const text =
      "## Install\n\n<!-- before the first version on npm -->\nNot yet.\n<!-- from the first version on npm -->\n\nnpm install\n";
    expect(publish(text)).toBe("## Install\n\nnpm install\n");
  });
});
