/** Returns the page that a cursor names: the first without one. Cursors of lists with numbered pages are the page's number. */
export const pageOf = (cursor: string | null): number =>
  cursor !== null && /^[1-9]\d{0,5}$/.test(cursor) ? Number(cursor) : 1
