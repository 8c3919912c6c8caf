// Written by `npm run generate` from functions/pages/assets/style.css. Do not edit.
/** Address of the stylesheet of all pages. */
export const STYLES = '/assets/style.18ib4go.css'
