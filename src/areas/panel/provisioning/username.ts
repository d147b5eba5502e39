import type { Random } from './rules.ts'

/** Letters that Unicode does not decompose into a base letter and a mark. */
const TRANSLITERATIONS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
}

const MAX_BASE = 20
const SUFFIX_LENGTH = 6
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * A username for a panel, from a person's name or address: its Latin letters and digits, and a
 * random suffix like `ann_k3f9x2`; every panel accepts it. Call it again if the name is taken.
 */
export function usernameFor(text: string, random: Random): string {
  const [local = ''] = text.split('@')
  const letters = [...local.toLowerCase().normalize('NFKD')]
    .map((letter) => TRANSLITERATIONS[letter] ?? letter)
    .join('')
    .replace(/[^a-z0-9]/g, '')
    .slice(0, MAX_BASE)
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => letterAt(random())).join('')
  return `${letters || 'user'}_${suffix}`
}

function letterAt(chance: number): string {
  return ALPHABET.charAt(Math.floor(chance * ALPHABET.length))
}
