import { type Html, html } from "../../pages/html.ts";

export type PictureBar = { readonly value: number; readonly label: string };

const WIDTH = 600;
const HEIGHT = 140;
/** Room for the labels below the bars. On a phone the style sheet doubles their size and shows every second label. */
const FOOTER_HEIGHT = 30;
const LABEL_OFFSET = 22;
const MAX_LABELS = 7;
const MAX_BAR_WIDTH = 36;
/** The bar's share of its column; the rest is the gap to the next bar. */
const BAR_SHARE = 0.72;

/** Vertical bars as SVG. `description` tells screen readers what the picture shows; the numbers are in a table beside it. */
export function barPicture(bars: readonly PictureBar[], description: string): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(1, bars.length);
  const width = Math.max(1, Math.min(MAX_BAR_WIDTH, step * BAR_SHARE));
  const labelEvery = Math.ceil(bars.length / MAX_LABELS);
  const items = bars.map(({ value, label }, index) => {
    const height = value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT);
    const middle = step * (index + 0.5);
    const bar = html`<rect x="${round(middle - width / 2)}" y="${round(HEIGHT - height)}" width="${round(width)}" height="${round(height)}" rx="${round(Math.min(3, width / 3))}"></rect>`;
    const text =
      index % labelEvery === 0 &&
      html`<text${index === 0 && html` class="first"`} x="${index === 0 ? 0 : round(middle)}" y="${HEIGHT + LABEL_OFFSET}">${label}</text>`;
    return html`${height > 0 && bar}${text}`;
  });
  return html`<svg class="bars" viewBox="0 0 ${WIDTH} ${HEIGHT + FOOTER_HEIGHT}" role="img" aria-label="${description}"><line x1="0" x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}"></line>${items}</svg>`;
}

/** A horizontal bar for a share between 0 and 1. */
export function sharePicture(share: number, description: string): Html {
  return html`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${description}"><rect class="rest" width="100" height="4"></rect><rect width="${round(share * 100)}" height="4"></rect></svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
