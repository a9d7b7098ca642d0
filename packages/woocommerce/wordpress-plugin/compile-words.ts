/** Original sentence → translated sentence; the empty one holds the file's own header. */
export type Words = ReadonlyMap<string, string>;

/**
 * Reads a .po file of ours: one line for each msgid and msgstr, no plurals, no contexts.
 * @throws Error naming the line that is none of that
 */
export function readWords(po: string): Words {
  const words = new Map<string, string>();
  let original: string | null = null;
  for (const [index, line] of po.split("\n").entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const [, keyword, quoted] = /^(msgid|msgstr) (".*")$/.exec(line) ?? [];
    if (quoted === undefined) throw new Error(`Line ${index + 1} of the words is neither msgid nor msgstr: ${line}`);
    const text: string = JSON.parse(quoted);
    if (keyword === "msgid") original = text;
    else if (original === null || words.has(original))
      throw new Error(`Line ${index + 1} of the words is there twice.`);
    else {
      words.set(original, text);
      original = null;
    }
  }
  return words;
}

/** The .mo file that WordPress reads: offsets of the sorted originals, offsets of the translations, texts. */
export function compileWords(words: Words): Uint8Array {
  const rows = [...words]
    .map(([original, translated]) => [Buffer.from(original), Buffer.from(translated)] as const)
    .sort(([one], [other]) => Buffer.compare(one, other));
  const originals = rows.map(([original]) => original);
  const translations = rows.map(([, translated]) => translated);
  const tableBytes = rows.length * 8;
  const head = [MAGIC, 0, rows.length, HEAD_BYTES, HEAD_BYTES + tableBytes, 0, 0];
  const texts = [...originals, ...translations];
  let at = HEAD_BYTES + 2 * tableBytes;
  const table = texts.flatMap(({ length }) => {
    const offset = at;
    at += length + 1;
    return [length, offset];
  });
  const numbers = Buffer.alloc(4 * (head.length + table.length));
  for (const [index, number] of [...head, ...table].entries()) numbers.writeUInt32LE(number, 4 * index);
  return Buffer.concat([numbers, ...texts.flatMap((text) => [text, Buffer.of(0)])]);
}

const MAGIC = 0x950412de;
const HEAD_BYTES = 28;
