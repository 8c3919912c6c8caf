const METRIC = '(impressions?|clicks?|ctr|positions?|traffic|volume|words?)'
const THRESHOLD = new RegExp(
  [
    'threshold',
    '^optimi[sz]ation_',
    `(^|_)(min|max|minimum|maximum|low|high)_(.*_)?${METRIC}(_|$)`,
    `(^|_)${METRIC}_(.*_)?(min|max|minimum|maximum|drop|decline|floor|ceiling|below|above)(_|$)`,
    '^(striking_distance|ctr_underperform|declining_page|decline|cannibali[sz]ation|dead_page|thin_content)_',
  ].join('|'),
)

/** Returns the note on a name of an optimization threshold, which no call can set; undefined for any other name. */
export const thresholdNote = (name: string): string | undefined => {
  const snake = name
    .slice(0, 100)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
  return THRESHOLD.test(snake)
    ? 'Optimization thresholds are applied at scan time and cannot be set, so this one was left out.'
    : undefined
}
