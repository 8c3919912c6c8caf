const HIDDEN = '[hidden]'
/** Shorter texts are no secrets, and would be found in any sentence. */
const MIN_LENGTH = 4

/** Returns a text without a secret, and without the beginning of one where the text was cut in its midst. */
const withoutOne = (text: string, secret: string): string => {
  const shown = text.replaceAll(secret, HIDDEN)
  for (let length = secret.length - 1; length >= MIN_LENGTH; length -= 1)
    if (shown.endsWith(secret.slice(0, length))) return shown.slice(0, -length) + HIDDEN
  return shown
}

/** Returns someone else's text in which none of the secrets stands: a system that echoes what it was sent gives nothing away. */
export const hideSecrets = (text: string, secrets: readonly (string | undefined)[]): string =>
  secrets.reduce<string>(
    (shown, secret) => (secret !== undefined && secret.length >= MIN_LENGTH ? withoutOne(shown, secret) : shown),
    text,
  )
