declare const types: unique symbol

/**
 * One kind of work on texts, as those who ask for it know it. A Worker of its own does it (`functions/texts`), because the tables
 * and parsers it takes weigh as much as a group. What goes in and what comes out is plain JSON.
 */
export type TextWork<In, Out> = { name: string; [types]?: (given: In) => Out }

/** Declares such work: its name is its path at the Worker. */
export const textWork = <In, Out>(name: string): TextWork<In, Out> => ({ name })

/** Runs such work in the Worker. Throws `unavailable` if the Worker does not answer. */
export type Texts = <In, Out>(work: TextWork<In, Out>, given: In) => Promise<Out>
