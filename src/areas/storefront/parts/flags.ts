/** From the letters of a country to the symbols that are drawn as its flag. */
const OFFSET = 0x1f1e6 - 'A'.charCodeAt(0)

/** The flag of a country by its ISO 3166 code, as text; systems without flags show its letters. */
export function flagOf(country: string): string {
  return String.fromCodePoint(...[...country].map((letter) => letter.charCodeAt(0) + OFFSET))
}
