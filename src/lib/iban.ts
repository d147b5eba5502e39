/** Whether a text, with or without spaces, is an IBAN (ISO 13616) with valid check digits. */
export function isIban(text: string): boolean {
  const plain = withoutSpaces(text)
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(plain)) return false
  return remainder97(`${plain.slice(4)}${plain.slice(0, 4)}`) === 1
}

/** ISO 7064 MOD 97-10, where A is 10 and Z is 35. */
export function remainder97(text: string): number {
  let remainder = 0
  for (const sign of text) {
    const value = Number.parseInt(sign, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

/** A code as it is compared and stored: capitals, without the spaces with which it is printed. */
export function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '').toUpperCase()
}
