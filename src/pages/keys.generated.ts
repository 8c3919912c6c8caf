// Written by `npm run generate` from src/pages/browser/keys. Do not edit.
/** Address of the script of keys and the palette. */
export const KEYS_JS = '/assets/keys.nonefq.js'
