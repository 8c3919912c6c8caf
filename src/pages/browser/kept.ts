/** Text that a person typed, as this browser keeps it until the service has it. */
export type Copy = {
  /** Id of the person who typed it. */
  person: string
  /** Path of the article. */
  path: string
  /** Id of the page in which it was typed. */
  draft: string
  /** Version of the article from which it began. */
  version: string
  at: number
  title: string
  meta_description: string
  content: string
}

const PREFIX = 'galley-draft '

/** Longest wait for the answer of the service, in milliseconds. */
const WAIT_MS = 8_000

const keyOf = ({ person, path, draft }: Copy): string => `${PREFIX}${person} ${path} ${draft}`

const read = (key: string): Copy | undefined => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as Copy
  } catch {
    return undefined
  }
}

/** Returns the texts that this browser keeps: of one person, or of all. */
export const copies = (person?: string): Copy[] => {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(person === undefined ? PREFIX : `${PREFIX}${person} `))
      .flatMap((key) => read(key) ?? [])
  } catch {
    return []
  }
}

/** Keeps a text in this browser. Returns false if its store is full or closed. */
export const keepCopy = (copy: Copy): boolean => {
  try {
    localStorage.setItem(keyOf(copy), JSON.stringify(copy))
    return true
  } catch {
    return false
  }
}

/** Deletes a text from this browser, unless a newer one has its place. */
export const dropCopy = (copy: Copy): void => {
  try {
    if ((read(keyOf(copy))?.at ?? copy.at) <= copy.at) localStorage.removeItem(keyOf(copy))
  } catch {}
}

/** Sends a text to the service. Returns the status of the answer: 303 if nobody is signed in, 0 without an answer. */
export const sendCopy = async ({ path, at: _at, ...fields }: Copy): Promise<number> => {
  try {
    const body = new URLSearchParams(fields)
    const answer = await fetch(`${path}/draft`, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(WAIT_MS),
    })
    return answer.type === 'opaqueredirect' ? 303 : answer.status
  } catch {
    return 0
  }
}
