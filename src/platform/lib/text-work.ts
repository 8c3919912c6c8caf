declare const types: unique symbol

/**
 * One kind of work on texts, as its callers see it. Input and output are plain JSON.
 *
 * A separate Worker does it (`functions/texts`), because its tables and parsers are as large as a whole group.
 */
export type TextWork<In, Out> = { name: string; [types]?: (given: In) => Out }

/** Declares a kind of work. Its name is its path at the Worker. */
export const textWork = <In, Out>(name: string): TextWork<In, Out> => ({ name })

/** Runs work in the texts Worker. Throws `unavailable` if the Worker does not answer. */
export type Texts = <In, Out>(work: TextWork<In, Out>, given: In) => Promise<Out>
