/** Returns a sentence of somebody else's, ended so that another can follow it. */
export const withStop = (text: string): string => (/[.!?…。！？]["”’»)\]]*$/.test(text) ? text : `${text}.`)
