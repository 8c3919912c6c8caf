/** Outlines of the menu's icons, in a square of 16. */
const PATHS_OF = {
  overview: 'M2 7.5 8 2.5l6 5V14H2z',
  calendar: 'M2 3.5h12V14H2zM2 6.5h12M5 2v3M11 2v3',
  articles: 'M4 2h6l3 3v9H4zM6 8h4M6 11h4',
  approvals: 'M3 8.500l3.5 3.500L13.5 4.500',
  suggestions: 'M8 2l1.6 4.4L14 8l-4.4 1.6L8 14l-1.6-4.4L2 8l4.4-1.6z',
  search: 'M2 12l4-4 3 2 5-6',
  visibility: 'M1.5 8S4 4 8 4s6.5 4 6.5 4-2.5 4-6.5 4-6.5-4-6.5-4zM8 6.500a1.5 1.5 0 1 0 .01 0',
  backlinks: 'M7 9l4-4M6 6 4 8a2.5 2.5 0 0 0 4 4l1-1M10 10l2-2a2.5 2.5 0 0 0-4-4L7 5',
  social: 'M2 3h12v8H8l-3 3v-3H2z',
  reviews: 'M8 1.500l2 4.300 4.500.500-3.400 3.100 1 4.600L8 11.700 3.900 14l1-4.600L1.500 6.300 6 5.800z',
  crowdwork:
    'M5.500 8a2.500 2.500 0 1 0-.010 0M1.500 13.500a4 4 0 0 1 8 0M11 8.500a2 2 0 1 0-.500-3.900M11 10.500a3.500 3.500 0 0 1 3.500 3',
  deliveries: 'M2 8l12-6-4 12-3-5z',
  policy: 'M8 1.5l5.500 2v4c0 3.500-2.500 6-5.500 7-3-1-5.500-3.500-5.500-7v-4z',
  preferences: 'M2 5h3M9 5h5M7 3v4M2 11h5M11 11h3M9 9v4',
  settings: 'M8 5.500a2.5 2.5 0 1 0 .01 0M8 1.500v2M8 12.500v2M1.5 8h2M12.5 8h2',
  notices: 'M4 11V7a4 4 0 0 1 8 0v4l1.500 1.500h-11zM6.500 14.500h3',
  sites: 'M2 3h12v10H2zM2 6h12',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
} as const

/** Name of an icon. */
export type IconName = keyof typeof PATHS_OF

/** Renders an icon beside a word. Screen readers skip it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS_OF[name]} />
  </svg>
)
