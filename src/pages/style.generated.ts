// Written by `npm run generate` from src/pages/style.ts. Do not edit.
/** Address of the stylesheet of all pages. */
export const STYLES = '/assets/style.wttqde.css'
