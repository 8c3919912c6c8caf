// Written by `npm run generate` from src/pages/browser/pictures. Do not edit.
/** Address of the script of the pictures of a post. */
export const PICTURES_JS = '/assets/pictures.j1z0tu.js'
