import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { siteFolder } from "../src/folders.ts";
import { writtenPages } from "./read-site.ts";

const folder = join(siteFolder, "public/pictures");
const pictures = readdirSync(folder).map((name) => ({ name, svg: readFileSync(join(folder, name), "utf8") }));
const pages = [...writtenPages()];

describe("drawings of the documentation", () => {
  it("a drawing has a title and a description for people who do not see it", () => {
    expect(pictures.length).toBeGreaterThan(4);
    for (const { name, svg } of pictures) {
      expect(svg, name).toMatch(/<title id="title">[^<]{10,}<\/title>/);
      expect(svg, name).toMatch(/<desc id="desc">[^<]{80,}<\/desc>/);
    }
  });

  it("a drawing runs no script and loads nothing", () => {
    for (const { name, svg } of pictures) {
      expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', ""), name).not.toMatch(
        /<script|https?:|@import|\son\w+=|href=/,
      );
    }
  });

  it("a drawing fits a phone: it is not wider than 360 units, so that its text stays legible", () => {
    for (const { name, svg } of pictures)
      expect(Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]), name).toBeLessThanOrEqual(360);
  });

  it("every drawing is on a page with an alternative text of more than 40 characters", () => {
    for (const { name } of pictures) {
      const uses = pages.flatMap(([, text]) => [
        ...text.matchAll(new RegExp(`!\\[([^\\]]*)\\]\\(/pictures/${name}\\)`, "g")),
      ]);
      expect(
        uses.map(([, alternative = ""]) => alternative.length > 40),
        name,
      ).toContain(true);
    }
  });

  it("every page about a concept has a drawing", () => {
    const concepts = pages.filter(([page]) => page.startsWith("concepts/"));
    expect(concepts.filter(([, text]) => !text.includes("](/pictures/")).map(([page]) => page)).toEqual([]);
  });
});
