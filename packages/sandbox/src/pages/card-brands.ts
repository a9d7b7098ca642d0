const card = (content: string) =>
  `url("data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 36 24'>${content}</svg>`)}")`;

const word = (text: string, ground: string, colour: string, style = "") =>
  card(
    `<rect width='36' height='24' rx='4' fill='${ground}'/><text x='18' y='16' fill='${colour}' font-family='Arial,sans-serif' font-weight='bold' font-size='10' text-anchor='middle' ${style}>${text}</text>`,
  );

/** The brand of a card as a small picture, by the name that the page's script finds: simple drawings, not the brands' own files. */
const PICTURES: Readonly<Record<string, string>> = {
  Visa: word("VISA", "#1a1f71", "#fff", "font-style='italic'"),
  Mastercard: card(
    "<rect width='36' height='24' rx='4' fill='#252525'/><circle cx='14' cy='12' r='7' fill='#eb001b'/><circle cx='22' cy='12' r='7' fill='#f79e1b'/><path d='M18 6.300a7 7 0 0 1 0 11.400a7 7 0 0 1 0-11.400' fill='#ff5f00'/>",
  ),
  "American Express": word("AMEX", "#016fd0", "#fff", "textLength='28'"),
  Discover: word("DISC", "#fff", "#e55c20"),
};

export const cardBrandStyle = Object.entries(PICTURES)
  .map(([name, picture]) => `.brand[data-brand="${name}"]{background-image:${picture}}`)
  .join("\n");
