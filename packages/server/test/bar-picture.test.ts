import { expect, test } from "vitest";
import { barPicture, ticksUpTo } from "../src/pages/bar-picture.ts";
import { render } from "../src/pages/html.ts";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 5, 10]],
  [250_000, [0, 100_000, 200_000, 300_000]],
  [123_456_789, [0, 50_000_000, 100_000_000, 150_000_000]],
])(
  "the scale of a picture whose highest bar is %d ends at or above it, in steps that people count in",
  (most, ticks) => {
    expect(ticksUpTo(most)).toEqual(ticks);
  },
);

test("a picture shows its scale, and a day without payments keeps its place and its label", () => {
  const bars = [
    { value: 200, label: "5 Jan" },
    { value: 0, label: "6 Jan" },
  ];
  const svg = render(barPicture(bars, "Received", (value) => `${value} F`));
  expect([...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
    "0 F",
    "100 F",
    "200 F",
    "5 Jan",
    "6 Jan",
  ]);
  expect(svg.match(/<rect/g)).toHaveLength(1);
});

test("a day that is marked has a mark below its place, also without a payment, and the label of the last narrow bar ends at the edge", () => {
  const bars = Array.from({ length: 31 }, (_, index) => ({
    value: index === 3 ? 0 : 100,
    label: `${index + 1} Jan`,
    title: `${index + 1} January: 100 F`,
    isMarked: index === 3,
  }));
  const svg = render(barPicture(bars, "Received", String));
  expect(svg.match(/class="marked"/g)).toHaveLength(1);
  expect(svg).toContain("<title>31 January: 100 F</title>");
  expect(/<text class="last" x="600"[^>]*>([^<]*)</.exec(svg)?.[1]).toBe("31 Jan");
});
