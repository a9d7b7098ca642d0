/** Maps each original text to its translation. The empty text maps to the header of the file. */
export type Translations = ReadonlyMap<string, string>;

/**
 * Reads a .po file with one line for each msgid and msgstr, without plurals and contexts.
 * @throws Error with the number of an unsupported line
 */
export function readTranslations(po: string): Translations {
  const translations = new Map<string, string>();
  let original: string | null = null;
  for (const [index, line] of po.split("\n").entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const [, keyword, quoted] = /^(msgid|msgstr) (".*")$/.exec(line) ?? [];
    if (quoted === undefined)
      throw new Error(`Line ${index + 1} of the translations is neither msgid nor msgstr: ${line}`);
    const text: string = JSON.parse(quoted);
    if (keyword === "msgid") original = text;
    else if (original === null || translations.has(original))
      throw new Error(`Line ${index + 1} of the translations repeats a text.`);
    else {
      translations.set(original, text);
      original = null;
    }
  }
  return translations;
}

/** Builds the .mo file: the offsets of the sorted originals, the offsets of the translations, then the texts. */
export function compileTranslations(source: Translations): Uint8Array {
  const rows = [...source]
    .map(([original, translated]) => [Buffer.from(original), Buffer.from(translated)] as const)
    .sort(([one], [other]) => Buffer.compare(one, other));
  const originals = rows.map(([original]) => original);
  const translations = rows.map(([, translated]) => translated);
  const tableBytes = rows.length * 8;
  let nextOffset = HEAD_BYTES + 2 * tableBytes;
  // WordPress before 6.5 rejects a file whose table of hashes, although it is empty, does not follow the other tables.
  const head = [MAGIC, 0, rows.length, HEAD_BYTES, HEAD_BYTES + tableBytes, 0, nextOffset];
  const texts = [...originals, ...translations];
  const table = texts.flatMap(({ length }) => {
    const offset = nextOffset;
    nextOffset += length + 1;
    return [length, offset];
  });
  const numbers = Buffer.alloc(4 * (head.length + table.length));
  for (const [index, number] of [...head, ...table].entries()) numbers.writeUInt32LE(number, 4 * index);
  return Buffer.concat([numbers, ...texts.flatMap((text) => [text, Buffer.of(0)])]);
}

const MAGIC = 0x950412de;
const HEAD_BYTES = 28;
