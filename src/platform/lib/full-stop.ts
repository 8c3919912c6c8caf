/** Returns a sentence of somebody else's, ended so that another can follow it. */
export const withStop = (text: string): string => (/[.!?…。！？]["”’»)\]]*$/.test(text) ? text : `${text}.`)

/** Returns somebody else's sentence followed by what to do next; the sentence alone without that. */
export const withNext = (said: string, next: string | undefined): string => (next ? `${withStop(said)} ${next}` : said)
