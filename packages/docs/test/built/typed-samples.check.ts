import { beforeAll, describe, expect, it } from "vitest";
import { allPages, typedBlocks } from "../read-site.ts";
import { type PageBlock, typeProblems } from "../typed-samples.ts";

// The samples of the Medusa README are checked in packages/medusa/test/starters.test.ts, inside Medusa's own storefronts. The samples of
// the Vendure README, of which the quick start repeats one, need Vendure, which only `npm run test:vendure` installs. The config of
// examples/vendure-store has the same plugin.
const checkedElsewhere: ReadonlySet<string> = new Set([
  "api/medusa/index.md",
  "api/vendure/index.md",
  "quick-start/vendure.md",
]);

let blocks: readonly PageBlock[];
beforeAll(async () => {
  const allBlocks = [...(await allPages())].flatMap(([page, text]) =>
    typedBlocks(text).map((block) => ({ page, ...block })),
  );
  blocks = allBlocks.filter(
    ({ page, language }) => ["ts", "tsx", "js"].includes(language) && !checkedElsewhere.has(page),
  );
});

const sample = (code: string): PageBlock => ({ page: "sample.md", language: "ts", code, line: 1 });

describe("code that is typed on a page or in a README", () => {
  it("every sample uses exports, options and members that exist", () => {
    expect(blocks.length).toBeGreaterThan(20);
    expect(typeProblems(blocks)).toEqual([]);
  });

  it("an export, an option and a member that do not exist are detected", () => {
    const problems = typeProblems([
      sample('import { createServiceKlient } from "@tillkit/client";'),
      sample(
        'import { createServiceClient } from "@tillkit/client";\ncreateServiceClient({ apiKey, baseUrl, deadlineSeconds: 5 });',
      ),
      sample(
        'import { openLedger } from "@tillkit/ledger";\nconst ledger = await openLedger("sqlite::memory:");\nledger.shut();',
      ),
    ]);
    expect(problems).toEqual([
      expect.stringMatching(/^sample\.md:2: .*createServiceKlient/),
      expect.stringMatching(/^sample\.md:3: .*deadlineSeconds/),
      expect.stringMatching(/^sample\.md:4: .*shut/),
    ]);
  });
});
