import { expect, it } from "vitest";
import { readWorkspace } from "./architecture/workspace.ts";

const page = "packages/client/API.md";

it("the page about the service's API has every heading that a comment links to", () => {
  const workspace = readWorkspace();
  const headings = [...(workspace.get(page) ?? "").matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
    title.toLowerCase().replaceAll(" ", "-"),
  );
  const links = [...workspace]
    .filter(([file]) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file))
    .flatMap(([file, source]) => [...source.matchAll(/API\.md#([\w-]+)/g)].map(([, heading]) => ({ heading, file })));
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter(({ heading = "" }) => !headings.includes(heading))).toEqual([]);
});
