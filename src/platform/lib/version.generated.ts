// Written by `npm run generate` from package.json. Do not edit.
export const VERSION = '0.3.0'
