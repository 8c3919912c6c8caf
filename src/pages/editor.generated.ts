// Written by `npm run generate` from src/pages/browser/editor. Do not edit.
/** Address of the script of the editor. */
export const EDITOR_JS = '/assets/editor.tayybv.js'
