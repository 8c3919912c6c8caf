/**
 * Meanings of the fields of answers in sentences, by the operation's id (`articles.get`) or the part before its dot (`articles`).
 *
 * A field is named by its path in the answer (`articles[].Url`) or by the end of the path, usually its name alone.
 * Empty if the name needs no explanation.
 */
export type AnswerWords = Readonly<Record<string, Readonly<Record<string, string>>>>
