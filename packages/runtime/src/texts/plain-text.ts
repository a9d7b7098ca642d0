/**
 * A product's name as a shopper reads it. Platforms and imports store names as HTML: `Bread &amp; <b>butter</b>`. Hosted pages, e-mails and
 * receipts show text. Tags go first, so a name that shows `<b>` as text keeps it.
 */
export function plainText(html: string | null | undefined): string {
  return (html ?? "")
    .replace(COMMENT, "")
    .replace(LINE_BREAKING_TAG, " ")
    .replace(TAG, "")
    .replace(ENTITY, (whole, hexadecimal?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? whole;
      return character(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)) ?? whole;
    })
    .replace(/[ \t\r\n]+/g, " ")
    .trim();
}

// Only tags of HTML go: `5 < 6` stays, and so does a tea named `<thé>`. None of these patterns can take more than linear time.
const COMMENT = /<!--[^<>]*-->/g;
const LINE_BREAKING_TAG = /<\/?(?:br|p|div|li|td|tr|h[1-6])(?=[\s/>])[^<>]*>/gi;
const TAG =
  /<\/?(?:a|abbr|b|bdi|bdo|big|blockquote|center|cite|code|dd|del|dl|dt|em|font|hr|i|iframe|img|ins|kbd|mark|ol|pre|q|s|samp|script|small|span|strike|strong|style|sub|sup|table|tbody|tfoot|th|thead|time|tt|u|ul|var|wbr)(?=[\s/>])[^<>]*>/gi;
const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]\w{1,7}));/gi;

function character(code: number): string | null {
  const isCharacter = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : null;
}

/** The names of HTML 4 for U+00A0 to U+00FF, in this order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(" ").map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const),
  ...Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    OElig: "Œ",
    oelig: "œ",
    euro: "€",
    trade: "™",
  }),
  ...Object.entries({ ndash: "–", mdash: "—", hellip: "…", bull: "•", lsaquo: "‹", rsaquo: "›" }),
  ...Object.entries({ lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„" }),
]);
