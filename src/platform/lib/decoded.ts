/** Returns a percent-encoded text decoded; as it is if that is not possible. Never throws, in whatever encoding it was written. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
