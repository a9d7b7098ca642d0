import { beforeAll, describe, expect, it } from "vitest";
import { withIncludes } from "./inclusions.ts";
import { allPages, type Pages, typedBlocks } from "./read-site.ts";
import { commandProblem, commandsIn, type TillkitCommands } from "./shell-commands.ts";
import { readTillkitCommands } from "./tillkit-commands.ts";

let pages: Pages;
let tillkit: TillkitCommands;
beforeAll(async () => {
  [pages, tillkit] = await Promise.all([allPages(), readTillkitCommands()]);
});

describe("shell commands of the documentation", () => {
  it("every command on a page exists, with its options", () => {
    const commands = [...pages].flatMap(([page, text]) =>
      typedBlocks(withIncludes(page, text))
        .filter(({ language }) => language === "sh")
        .flatMap(({ code }) => commandsIn(code).map((words) => ({ page, words }))),
    );
    expect(commands.length).toBeGreaterThan(80);
    const problems = commands.map(({ page, words }) => {
      const problem = commandProblem(words, tillkit);
      return problem === null ? null : `${page}: ${words.join(" ")}: ${problem}`;
    });
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  it.each([
    ["npm run nothing", /not a script/],
    ["tillkit webhooks create --adress x", /no option --adress/],
    ["tillkit webhook list", /no command/],
    ["(cd ../tillkit && npm run pack:everything)", /not a script/],
    ["node ../tillkit/packages/cli/dist/nothing.js", /no program/],
    ["KEY=1 npx tillkit explian 1042", /no command/],
  ])("the wrong command %s is found", (line, problem) => {
    const problems = commandsIn(line).map((words) => commandProblem(words, tillkit));
    expect(problems.find((found) => found !== null)).toMatch(problem);
  });
});
