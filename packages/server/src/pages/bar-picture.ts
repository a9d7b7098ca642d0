import { type Html, html } from "./html.ts";

export type PictureBar = {
  readonly value: number;
  readonly label: string;
  /** Shown while the pointer rests on the bar. */
  readonly title?: string;
  /** A mark below the bar, where the words beside the picture say what it means. */
  readonly isMarked?: boolean;
};

const WIDTH = 600;
const HEIGHT = 150;
/** Room for the labels of the scale on the left, and for those of the bars below. A phone's style sheet doubles their size. */
const SCALE_WIDTH = 74;
const FOOTER_HEIGHT = 38;
const LABEL_OFFSET = 32;
const HALF_LABEL = 52;
const MAX_LABELS = 7;
const MAX_BAR_WIDTH = 36;
const MAX_STEPS = 3;
/** The bar's share of its column; the rest is the gap to the next bar. */
const BAR_SHARE = 0.72;
/** Above the highest line, for the upper half of its label. */
const TOP = 14;

/**
 * Vertical bars on a scale, as SVG. `description` tells screen readers what the picture shows; the numbers are in a table beside it.
 * `nameOf` writes a value of the scale, briefly.
 */
export function barPicture(bars: readonly PictureBar[], description: string, nameOf: (value: number) => string): Html {
  const ticks = ticksUpTo(Math.max(0, ...bars.map(({ value }) => value)));
  const top = ticks.at(-1) ?? 1;
  const yOf = (value: number) => round(TOP + HEIGHT - (value / top) * HEIGHT);
  const step = (WIDTH - SCALE_WIDTH) / Math.max(1, bars.length);
  const width = Math.max(1, Math.min(MAX_BAR_WIDTH, step * BAR_SHARE));
  const labelEvery = Math.ceil(bars.length / MAX_LABELS);
  const scale = ticks.map(
    (value) =>
      html`<line x1="${SCALE_WIDTH}" x2="${WIDTH}" y1="${yOf(value)}" y2="${yOf(value)}"></line><text class="scale" x="${SCALE_WIDTH - 8}" y="${yOf(value) + 5}">${nameOf(value)}</text>`,
  );
  const items = bars.map(({ value, label, title, isMarked }, index) => {
    const middle = SCALE_WIDTH + step * (index + 0.5);
    const x = round(middle - width / 2);
    const y = Math.min(yOf(value), TOP + HEIGHT - 2);
    const bar = html`<rect x="${x}" y="${y}" width="${round(width)}" height="${round(TOP + HEIGHT - y)}" rx="${round(Math.min(3, width / 3))}">${title && html`<title>${title}</title>`}</rect>`;
    const mark =
      isMarked &&
      html`<rect class="marked" x="${x}" y="${TOP + HEIGHT + 4}" width="${round(width)}" height="5"></rect>`;
    // A label in the middle of a narrow last column would reach over the edge.
    const isAtEdge = index === bars.length - 1 && step < 2 * HALF_LABEL;
    const names = [isAtEdge && "last", index % (2 * labelEvery) > 0 && "every-second"].filter(Boolean).join(" ");
    const text =
      index % labelEvery === 0 &&
      html`<text${names !== "" && html` class="${names}"`} x="${isAtEdge ? WIDTH : round(middle)}" y="${TOP + HEIGHT + LABEL_OFFSET}">${label}</text>`;
    return html`${value > 0 && bar}${mark}${text}`;
  });
  return html`<svg class="bars" viewBox="0 0 ${WIDTH} ${TOP + HEIGHT + FOOTER_HEIGHT}" role="img" aria-label="${description}">${scale}${items}</svg>`;
}

/** The values of a scale from 0 to `most` or a little more, in steps of 1, 2 or 5 and zeros. */
export function ticksUpTo(most: number): readonly number[] {
  const rough = Math.max(1, most / MAX_STEPS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? 10 * power;
  const steps = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/** A horizontal bar for a share between 0 and 1. */
export function sharePicture(share: number, description: string): Html {
  return html`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${description}"><rect class="rest" width="100" height="4"></rect><rect width="${round(share * 100)}" height="4"></rect></svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
