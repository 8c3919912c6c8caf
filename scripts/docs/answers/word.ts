/**
 * Meanings of the fields of answers, by the operation's id (`articles.get`) or the part before its dot (`articles`).
 *
 * A field is named by its path in the answer (`articles[].Url`) or by the end of it, mostly its name alone. Empty if the name
 * says it all.
 */
export type AnswerWords = Readonly<Record<string, Readonly<Record<string, string>>>>
