import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES, type Locale } from '#lib/languages.ts'

/** The folders with the texts that customers read, the file of a language in each, and what it exports. */
const PLACES: readonly (readonly [
  folder: string,
  fileOf: (code: string) => string,
  name?: string,
])[] = [
  ['src/areas/notifications/texts', (code) => `${code}/index.ts`],
  ['src/areas/storefront/texts', (code) => `${code}.ts`],
  ['web/src/texts', (code) => `${code}/index.ts`],
  ['web/src/texts', (code) => `${code}/affiliation.ts`, 'affiliation'],
  ['web/src/texts', (code) => `${code}/attachments.ts`, 'attachments'],
  ['web/src/texts', (code) => `${code}/credit-kinds.ts`, 'creditKinds'],
  ['web/src/texts', (code) => `${code}/credit-kinds.ts`, 'vouchers'],
  ['src/lib/field-faults', (code) => `${code}.ts`],
  ['src/platform/http/validation-messages', (code) => `${code}.ts`],
]

/** Names and abbreviations that are the same everywhere. */
const NAMES = ['PayPal', 'Discord', 'BIC Ada', 'PDF', 'CPU', 'ID', 'GB']

/** Words that a language shares with English. */
const SHARED: Readonly<Record<Exclude<Locale, 'en'>, readonly string[]>> = {
  fr: [
    ...['Actions', 'Administration', 'Applications', 'Code', 'Commissions', 'Console', 'Date'],
    ...['Documents', 'E-mail', 'Menu', 'Notifications', 'Pages', 'Sessions', 'Standard', 'Support'],
    ...['Conversation', 'Message', 'Ticket', 'Total'],
  ],
  nl: [
    ...['Account', 'Code', 'Console', 'Contact', 'Details', 'E-mail', 'Game', 'Games', 'Menu'],
    ...['Offline', 'Open', 'Passkeys', 'Postcode', 'Privacy', 'Server', 'Servers', 'Status'],
    ...['Support', 'Ticket'],
  ],
  de: [
    ...['Backups', 'Code', 'Details', 'Name', 'Offline', 'Optional', 'Panel', 'Passkeys'],
    ...['Region (optional)', 'Server', 'Standard', 'Status', 'Support', 'Ticket'],
  ],
  es: ['No', 'Panel', 'Plan', 'Subtotal', 'Ticket', 'Total'],
  it: [
    ...['Account', 'Console', 'Email', 'Home', 'Menu', 'No', 'Offline', 'Password', 'Privacy'],
    ...['Server', 'Standard', 'Ticket'],
  ],
  pl: ['E-mail', 'Menu', 'Panel', 'Plan', 'Status', 'VAT', 'VAT Ada'],
  pt: ['E-mail', 'Menu', 'Subtotal', 'Total'],
}

type Leaf = readonly [path: string, text: string]

/** Every text of a dictionary with its path. Functions are called with words, else with numbers, else with a list. */
function leavesOf(value: unknown, path: string): Leaf[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return leavesOf(callOf(value as Saying), `${path}()`)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, it]) => leavesOf(it, `${path}.${key}`))
}

type Saying = (...facts: unknown[]) => unknown

const ARGUMENTS = ['Ada', 3, ['3', '4']]

/** What a function says; nothing for one that needs facts, which the test of notices gives it. */
function callOf(say: Saying): unknown {
  for (const argument of ARGUMENTS) {
    try {
      return say(...Array.from({ length: say.length }, () => argument))
    } catch {
      // It needs another kind of argument.
    }
  }
  return null
}

async function textsIn(code: string): Promise<ReadonlyMap<string, string>> {
  const leaves = await Promise.all(
    PLACES.map(async ([folder, fileOf, name]) => {
      const module = await import(`../${folder}/${fileOf(code)}`)
      return leavesOf(module[name ?? code], `${folder}/${name ?? ''}`)
    }),
  )
  return new Map(leaves.flat())
}

const english = await textsIn('en')

for (const locale of LOCALES) {
  if (locale === 'en') continue
  test(`every text in ${locale} is translated, but for words that are the same in English`, async () => {
    const own = await textsIn(locale)
    assert.ok(own.size > 900, `${own.size} texts were read`)
    const allowed = new Set([...NAMES, ...SHARED[locale]])
    const copied = [...own].filter(
      ([path, text]) => text === english.get(path) && /\p{L}{2}/u.test(wordsOf(text)),
    )
    const unexpected = copied.filter(([, text]) => !allowed.has(text))
    assert.deepEqual(unexpected, [])
    const used = new Set(copied.map(([, text]) => text))
    assert.deepEqual(
      SHARED[locale].filter((it) => !used.has(it)),
      [],
      'the list has no word that is not needed',
    )
  })
}

/** A text without what the test put into it. */
function wordsOf(text: string): string {
  return text.replaceAll(/\bAda\b|\bundefined\b/g, '')
}
