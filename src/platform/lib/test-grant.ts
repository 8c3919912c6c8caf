import { DAY_MS } from './time.ts'

/** Google ends grants of applications whose consent screen is "in testing" after seven days. */
const [FROM_DAYS, TO_DAYS] = [6.5, 8]

/** True if a grant of Google's lasted as long as one of an application in testing does. */
export const endedInTesting = (granted: string, ended: Date): boolean => {
  const days = (ended.getTime() - Date.parse(granted)) / DAY_MS
  return days >= FROM_DAYS && days <= TO_DAYS
}
