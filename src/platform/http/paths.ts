/** Fixed paths before those with parameters, so that `/articles/generate` is no article id. */
export const bySpecificity = (a: string, b: string): number => a.split(':').length - b.split(':').length
