/** Wording of a statement. `keys`: the hashes of all its words, as `article_words` has them. */
export type StatementWording = { text: string; keys: number[] }
