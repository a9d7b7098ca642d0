/** The colours by their names. `on-main` is text on `main`, and so on. */
export const light = {
  back: "#f2f4f1",
  card: "#fff",
  text: "#15211d",
  soft: "#53605a",
  line: "#dfe3df",
  /** The border of a field. */
  edge: "#7b8882",
  main: "#0b6a50",
  "on-main": "#fff",
  /** `main` under the pointer. */
  press: "#08563f",
  good: "#d9efe5",
  "on-good": "#0a4d3a",
  care: "#fff0cc",
  "on-care": "#5e3f00",
  bad: "#fbe3e0",
  "on-bad": "#8a1c15",
  calm: "#e6ecf5",
  "on-calm": "#2f4263",
} as const;

export type ColourName = keyof typeof light;

export const dark: Readonly<Record<ColourName, string>> = {
  back: "#101614",
  card: "#19211e",
  text: "#e6ece8",
  soft: "#a9b6af",
  line: "#2c3833",
  edge: "#74827b",
  main: "#63cda8",
  "on-main": "#08251b",
  press: "#7fdcbb",
  good: "#143a2d",
  "on-good": "#9fe3c8",
  care: "#403209",
  "on-care": "#ffd98a",
  bad: "#47201c",
  "on-bad": "#ffb3ab",
  calm: "#202c3f",
  "on-calm": "#b9cdf0",
};

/** Text and the backgrounds on which it stands. Each pair has a contrast of 4.5 or more. */
export const textPairs: readonly (readonly [text: ColourName, background: ColourName])[] = [
  ["text", "back"],
  ["text", "card"],
  ["soft", "back"],
  ["soft", "card"],
  ["main", "back"],
  ["main", "card"],
  ["on-main", "main"],
  ["on-main", "press"],
  ["on-good", "good"],
  ["on-good", "card"],
  ["on-care", "care"],
  ["on-care", "card"],
  ["on-bad", "bad"],
  ["on-bad", "card"],
  ["on-calm", "calm"],
];
