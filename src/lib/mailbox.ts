/** Domains whose mailboxes ignore dots in the name, with their canonical domain. */
const DOTLESS: ReadonlyMap<string, string> = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
])

/**
 * The mailbox behind an address, normalised so that two spellings of one mailbox are equal:
 * `Ada+shop@example.org` is `ada@example.org`, `a.da@googlemail.com` is `ada@gmail.com` (R4.3, R6.2).
 */
export function mailboxOf(email: string): string {
  const lower = email.toLowerCase()
  const at = lower.lastIndexOf('@')
  const [local, domain] = at < 0 ? [lower, ''] : [lower.slice(0, at), lower.slice(at + 1)]
  const [box = ''] = local.split('+')
  const name = box || local
  const dotless = DOTLESS.get(domain)
  if (!dotless) return `${name}@${domain}`
  return `${name.replaceAll('.', '') || name}@${dotless}`
}
