/** Crockford's base 32: no I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** True if a text is a ULID in its canonical spelling (https://github.com/ulid/spec). */
export const isUlid = (text: string): boolean => ULID.test(text)

/** Returns a ULID: 48 bits of time, then 80 random ones (`random` gives bytes). Later ones sort after earlier ones. */
export const ulid = (now: Date, random: Uint8Array): string => {
  let text = ''
  for (let time = now.getTime(), n = 0; n < 10; n += 1, time = Math.floor(time / 32)) text = DIGITS[time % 32] + text
  // 80 bits are 16 digits of 5.
  let [bits, held] = [0, 0]
  for (const byte of random.subarray(0, 10)) {
    bits = (bits << 8) | byte
    held += 8
    while (held >= 5) {
      held -= 5
      text += DIGITS[(bits >> held) & 31]
      bits &= (1 << held) - 1
    }
  }
  return text
}
